"""Answers by a deadline, or with partitions missing.

    from holdfast import approximate

    answer = approximate.mean(readings, deadline=10)
    print(answer.value, answer.low, answer.high, answer.share)

An RDD or a DataFrame of a classic session is counted; sums and means are of an RDD of numbers or of a DataFrame with
one column of numbers. At the bound the rest of the job is cancelled. Spark Connect has no RDDs: there all of these raise
RuntimeError.

An answer takes the partitions that are done for a sample of all. That is right where elements lie in partitions by
chance, and wrong for sorted data: docs/how-to/approximate-answers.md.
"""

import copy
import math
from typing import Any, NamedTuple, Optional, Tuple

_FOREVER = (1 << 63) - 1
_CONNECT = (
    "a DataFrame of Spark Connect has no RDD, so that its partitions cannot be left out: use a classic session "
    "(SparkSession.builder.master(...)), or run the action in the server"
)


class Answer(NamedTuple):
    """An answer that may lack partitions.

    value: what the partitions that are there say of all.
    low, high: the interval that holds the true value with that confidence; None of an aggregate.
    share: of the partitions that the answer is made of, from 0 to 1.
    partitions: how many there are; missing: the numbers of those that are not part of the answer, from 0.
    """

    value: Any
    low: Optional[float]
    high: Optional[float]
    confidence: float
    share: float
    partitions: int
    missing: Tuple[int, ...]


def count(data, deadline=None, error=None, confidence=0.95):
    """How many elements or rows there are.

    deadline: seconds from the call; the answer has what is done by then.
    error: the share of partitions that may be missing, from 0 to below 1; the answer comes once no more are.

    Give one of them. Raises ValueError for others, RuntimeError without the jar and for Spark Connect.
    """
    millis, share = _bound(deadline, error, confidence)
    if _is_frame(data):
        return _estimate(_actions(data).rows(data._jdf.rdd(), millis, share, confidence))

    def number(elements):
        elements_seen = 0
        for _ in elements:
            elements_seen += 1
        yield elements_seen

    numbers = data.mapPartitions(number)
    return _estimate(_actions(data).count(_jvm_rdd(numbers), millis, share, confidence))


def sum_(data, deadline=None, error=None, confidence=0.95):
    """The sum of numbers; `approximate.sum` is the same. See `count`."""
    millis, share = _bound(deadline, error, confidence)
    return _estimate(_actions(data).sum(_numbers(data), millis, share, confidence))


def mean(data, deadline=None, error=None, confidence=0.95):
    """The mean of numbers. See `count`."""
    millis, share = _bound(deadline, error, confidence)
    return _estimate(_actions(data).mean(_numbers(data), millis, share, confidence))


def aggregate(data, zero, seq_op, comb_op=None, evaluate=None, deadline=None, error=None, confidence=0.95):
    """What you combine yourself; of a DataFrame the rows.

    zero: what each partition begins with. seq_op(result, element) gives the partition's next result.
    comb_op(a, b): combines what partitions give, in the order in which they end.
    evaluate(results, partitions): instead of comb_op; results is a list of (partition, result), partitions their number
    in all. What it returns is the answer's value.
    """
    if (comb_op is None) == (evaluate is None):
        raise ValueError("give comb_op or evaluate")
    millis, share = _bound(deadline, error, confidence)
    actions = _actions(data)

    def fold(elements):
        result = copy.deepcopy(zero)
        for element in elements:
            result = seq_op(result, element)
        yield result

    rdd = data.rdd if _is_frame(data) else data
    folded = rdd.mapPartitions(fold)
    pickled = folded._pickled()
    answer = actions.collect(pickled._jrdd.rdd(), millis, share, confidence)
    read = pickled._jrdd_deserializer.serializer.loads
    results = [(part.partition(), read(bytes(part.bytes()))[0]) for part in answer.value()]
    if evaluate is not None:
        value = evaluate(results, answer.partitions())
    else:
        value = copy.deepcopy(zero)
        for _, result in results:
            value = comb_op(value, result)
    return _answer(answer, value, None, None)


def _bound(deadline, error, confidence):
    if (deadline is None) == (error is None):
        raise ValueError("give a deadline or an error")
    if not 0 <= confidence <= 1:
        raise ValueError(f"confidence {confidence} is not from 0 to 1")
    if deadline is not None:
        if not (deadline >= 0 and math.isfinite(deadline)):
            raise ValueError(f"deadline {deadline}: give seconds from the call, 0 or more")
        return int(deadline * 1000), 0.0
    if not 0 <= error < 1:
        raise ValueError(f"error {error} is not from 0 to below 1: 0.1 is a tenth")
    return _FOREVER, float(error)


def _is_frame(data):
    if type(data).__module__.startswith("pyspark.sql.connect"):
        raise RuntimeError(_CONNECT)
    return hasattr(data, "_jdf")


def _actions(data):
    context = data.sparkSession.sparkContext if _is_frame(data) else data.context
    actions = context._jvm.io.holdfast.approximate.FromPython
    if type(actions).__name__ == "JavaPackage":
        raise RuntimeError(
            "the jar is not on the driver's class path: build the session with holdfast.conf(), or add --jars "
            "holdfast-spark.jar"
        )
    return actions


def _jvm_rdd(rdd):
    return rdd._to_java_object_rdd().rdd()


def _numbers(data):
    if not _is_frame(data):
        return _jvm_rdd(data.map(float))
    if len(data.columns) != 1:
        raise ValueError(f"the DataFrame has {len(data.columns)} columns: select the one of numbers")
    return _jvm_rdd(data.rdd.map(lambda row: float(row[0])))


def _estimate(answer):
    estimate = answer.value()
    return _answer(answer, estimate.value(), estimate.low(), estimate.high())


def _answer(answer, value, low, high):
    missing = tuple(answer.missing())
    return Answer(value, low, high, answer.confidence(), answer.share(), answer.partitions(), missing)


sum = sum_  # noqa: A001
