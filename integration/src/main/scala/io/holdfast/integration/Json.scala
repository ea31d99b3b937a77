package io.holdfast.integration

import java.nio.file.{Files, Path}

import com.fasterxml.jackson.databind.{DeserializationFeature, JsonNode, PropertyNamingStrategies, SerializationFeature}
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.module.scala.{ClassTagExtensions, DefaultScalaModule, JavaTypeable}

/** JSON with the field names of the results: `firstWaitS` is written `first_wait_s`. */
object Json {
  private val mapper = JsonMapper
    .builder()
    .addModule(DefaultScalaModule)
    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
    .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, true)
    .build() :: ClassTagExtensions
  private val pretty = mapper.writer(SerializationFeature.INDENT_OUTPUT)

  def write(value: Any): String = mapper.writeValueAsString(value)

  def save(path: Path, value: Any): Unit = {
    Option(path.getParent).foreach(Files.createDirectories(_))
    Files.writeString(path, pretty.writeValueAsString(value) + "\n")
  }

  def read[T: JavaTypeable](text: String): T = mapper.readValue[T](text)

  def load[T: JavaTypeable](path: Path): T = read[T](Files.readString(path))

  def tree(text: String): JsonNode = mapper.readTree(text)
}
