package io.holdfast.approximate;

/** A number and the interval that holds the true one with the answer's confidence. */
public record Estimate(double value, double low, double high) {}
