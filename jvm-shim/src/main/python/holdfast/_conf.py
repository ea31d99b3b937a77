"""What switches Holdfast on, beside what an application has already."""

import logging
import os
import re
import shlex
from pathlib import Path

from . import _files, _jvm

_PLUGIN = "io.holdfast.HoldfastPlugin"
_JARS, _PLUGINS = "spark.jars", "spark.plugins"
_DEFAULTS_LINE = re.compile(r"\s*([^#!\s=:][^\s=:]*)[\s=:]+(.*?)\s*")


def conf(existing=None):
    """The configuration that switches Holdfast on: `SparkSession.builder.config(map=holdfast.conf())`.

    Call it before the first SparkSession: the JVM's class path is settled when it starts. Jars and plugins that
    spark-defaults.conf or PYSPARK_SUBMIT_ARGS name are kept; other plugins come first.

    existing: what the application sets itself, a dict, a SparkConf or (key, value) pairs. It comes back with ours added.

    When the jar cannot reach the driver, a warning (logger `holdfast`) says why, `existing` comes back as it was, and
    Spark keeps its own scheduling; with spark.holdfast.required=true it is a RuntimeError.
    """
    asked = _pairs(existing)
    try:
        jar = _files.jar()
        if "," in jar:
            raise FileNotFoundError(f"{jar} has a comma, where Spark parts its lists of jars: copy it to another path")
    except FileNotFoundError as error:
        return _stock(asked, str(error))
    jvm = _jvm.running()
    if jvm is None:
        submitted = _submitted(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
        if jar not in _items(submitted.get(_JARS, jar)):
            fix = f"add {jar} there, or leave them out"
            return _stock(asked, f"the jars in PYSPARK_SUBMIT_ARGS displace those of holdfast.conf(): {fix}")
        had = {**_defaults(), **submitted, **asked}
        asked[_JARS] = _last(had.get(_JARS), jar)
    elif _jvm.facade_of(jvm) is None:
        under_submit = "PYSPARK_GATEWAY_PORT" in os.environ
        fix = (
            "add to the command what `holdfast spark-submit-args` prints"
            if under_submit
            else "restart Python (in a notebook: the kernel), and call holdfast.conf() before the first SparkSession"
        )
        return _stock(asked, f"this process already has a JVM, without the jar on its class path: {fix}")
    else:
        had = {_PLUGINS: jvm.java.lang.System.getProperty(_PLUGINS), **asked}
    asked[_PLUGINS] = _last(had.get(_PLUGINS), _PLUGIN)
    return asked


def _stock(asked, reason):
    if str(asked.get("spark.holdfast.required", "")).strip().lower() == "true":
        raise RuntimeError(f"Holdfast cannot be switched on: {reason} (spark.holdfast.required=true)")
    logging.getLogger("holdfast").warning("Holdfast is off: %s. Spark keeps its own scheduling.", reason)
    return asked


def _pairs(existing):
    if existing is None:
        return {}
    if hasattr(existing, "getAll"):  # a SparkConf
        existing = existing.getAll()
    return dict(existing)


def _items(text):
    return [item.strip() for item in (text or "").split(",") if item.strip()]


def _last(text, ours):
    """A list as Spark has them, in which ours is there once, at the end."""
    return ",".join([item for item in _items(text) if item != ours] + [ours])


def _submitted(arguments):
    """What options of spark-submit say of jars and plugins. They go after those that PySpark makes of a configuration."""
    said = {}
    words = iter(shlex.split(arguments))
    for word in words:
        option, given, value = word.partition("=")
        if option in ("--jars", "--conf", "-c"):
            value = value if given else next(words, "")
            key, _, value = (_JARS, "=", value) if option == "--jars" else value.partition("=")
            said[key] = value
    return {key: value for key, value in said.items() if key in (_JARS, _PLUGINS)}


def _defaults():
    """What spark-defaults.conf says of jars and plugins: the builder's values replace it."""
    folder = os.environ.get("SPARK_CONF_DIR") or os.path.join(_spark_home(), "conf")
    try:
        lines = Path(folder, "spark-defaults.conf").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    read = (_DEFAULTS_LINE.fullmatch(line) for line in lines)
    return {match[1]: match[2] for match in read if match and match[1] in (_JARS, _PLUGINS)}


def _spark_home():
    if os.environ.get("SPARK_HOME"):
        return os.environ["SPARK_HOME"]
    try:
        import pyspark
    except ImportError:
        return ""
    return os.path.dirname(pyspark.__file__)
