#!/bin/sh
# Called by ./gradlew before it starts Java, with the arguments of ./gradlew.
#
# The official wrapper downloads Gradle from Gradle's own server. Many closed networks reach a Maven
# repository and not that server. So: when Gradle is already unpacked, or the server answers within a few
# seconds, this does nothing and the wrapper goes on as usual; otherwise AssembleGradle.java lays out the
# same Gradle from Maven artifacts, at the place where the wrapper would have unpacked the download.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)

javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
if ! command -v "$javac" >/dev/null 2>&1; then
    echo "Holdfast builds with a JDK 17, and '$javac' is not there: install one (Debian: apt install openjdk-17-jdk-headless; macOS: brew install openjdk@17) and point JAVA_HOME or PATH to it." >&2
    exit 1
fi

# The wrapper's home: -g or --gradle-user-home wins over the environment.
user_home=${GRADLE_USER_HOME:-$HOME/.gradle}
previous=
for arg do
    case $previous in -g | --gradle-user-home) user_home=$arg ;; esac
    case $arg in
        --gradle-user-home=*) user_home=${arg#*=} ;;
        -Dgradle.user.home=*) user_home=${arg#*=} ;;
    esac
    previous=$arg
done

# Shortcut past a JVM start. The last folder is the base-36 MD5 of distributionUrl; when the URL changes, this
# no longer matches and AssembleGradle.java, which computes it, decides.
[ -f "$user_home/wrapper/dists/gradle-8.5-bin/5t9huq95ubn472n8rpzujfbqh/gradle-8.5-bin.zip.ok" ] && exit 0

# JAVA_OPTS and GRADLE_OPTS carry proxy settings, as for the wrapper itself; xargs removes their quotes.
options=$(printf '%s\n' "${JAVA_OPTS:-} ${GRADLE_OPTS:-}" | xargs -n1)
# shellcheck disable=SC2086
exec "${javac%c}" $options "$here/AssembleGradle.java" "$here" "$user_home"
