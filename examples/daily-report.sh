#!/bin/sh
# Summarises a log once a day. In `crontab -e`, with a key that only you can read (chmod 600):
#
#   5 6 * * *  PATH=$HOME/.local/bin:/usr/bin:/bin /path/to/daily-report.sh /var/log/app.log "$HOME/report.txt"
#
# Cron mails what this prints to standard error, so a report that fails is noticed.
set -eu

log=${1:?Usage: daily-report.sh LOG REPORT}
report=${2:?Usage: daily-report.sh LOG REPORT}
PIPIT_API_KEY=${PIPIT_API_KEY:-$(cat "$HOME/.config/pipit/key")}
export PIPIT_API_KEY

# A prompt that does not fit is refused, so only the end of the log is sent. The status of `tail` would be lost in a pipe.
text=$(tail -c 2000 "$log")
if [ -z "$text" ]; then
  echo "$log is empty, so there is nothing to report." >&2
  exit 1
fi
summary=$(printf '%s\n' "$text" | pipit chat --set max_tokens=100 "Summarise this log in one sentence.")

# Runs only if the reply is complete: otherwise `pipit chat` fails, and set -e ends the script.
printf '%s: %s\n' "$(date +%F)" "$summary" >> "$report"
