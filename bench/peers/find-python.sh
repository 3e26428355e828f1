# Sourced by the scripts in this folder. Prints a Python 3.10 or newer with venv; fails if there is none.
find_python() {
  for candidate in python3.13 python3.12 python3.11 python3.10 python3; do
    if "$candidate" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      echo "$candidate"
      return 0
    fi
  done
  echo "there is no Python 3.10 or newer with venv" >&2
  return 1
}
