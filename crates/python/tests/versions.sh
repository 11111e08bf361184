#!/bin/sh
# versions.sh WHEELS FOLDER: tests the one wheel on every Python from 3.10 that is found, and lists them.
# PYTHONS names interpreters in addition to those on the path and of pyenv.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
wheel=$(ls "$1"/haggle-*.whl)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
wheel=$(cd "$(dirname "$wheel")" && pwd)/$(basename "$wheel")
tested=""
known=" "
for minor in 10 11 12 13 14 15 16; do
    for python in ${PYTHONS:-} "python3.$minor" "$HOME"/.pyenv/versions/3.$minor.*/bin/python3; do
        command -v "$python" >/dev/null 2>&1 || continue
        version=$("$python" -c 'import platform; print(platform.python_version())') || continue
        case $version in 3.$minor.*) ;; *) continue ;; esac
        case $known in *" 3.$minor "*) continue ;; esac
        known="$known 3.$minor "
        echo "== Python $version"
        [ -x "$folder/$version/bin/pip" ] || "$python" -m venv "$folder/$version"
        "$folder/$version/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: -r "$here/../requirements-versions.txt"
        "$folder/$version/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall pycanon "$wheel"
        (cd "$here/.." && "$folder/$version/bin/python" -m pytest -p no:cacheprovider)
        tested="$tested $version"
    done
done
[ -n "$tested" ] || { echo "there is no Python from 3.10 on" >&2; exit 1; }
echo "$(basename "$wheel") was tested on Python$tested"
