#!/bin/sh
# What ends the processes of a session whose orch is gone?
#
# POSIX sh, because it is there and starts in a millisecond. TERM, a grace, KILL. On Linux it needs
# no program but the shell: without `sleep` it reads the clock until the time is over. Where there is
# no such clock, each look counts as a fifth of a second.
#
# While the child has a limit of time, orch's next word is waited for no longer than that (`timeout`, where
# it is): an orch that is stopped by then watches no limit. The guard ends by ALRM before the tree does, so
# whoever goes on sees why first. A living orch keeps the limit itself.
#
# A process counts as the tree's when it carries the mark or the marker, when it is in the group, or
# when it descends from one that does. What was found once is remembered,
# with its start, because a descendant can no longer be told from others after its parent died.
# Nothing that is older than orch is looked at.
trap '' HUP INT TERM
grace=$1 since=$2 marker=$3 limit=$4 patience=$5 group= left= known= now=0
rows() {
  if [ -r /proc/self/stat ]; then
    for at in /proc/[0-9]*; do
      IFS= read -r line <"$at/stat" || continue
      set -- ${line##*) }
      echo "${at#/proc/} $1 $2 $3 $4 ${20}"
    done
  else
    ps -A -o pid= -o stat= -o ppid= -o pgid=
  fi
} 2>/dev/null
marked() {
  while read -r a b c soft hard rest; do
    case "$a $b $c $hard" in "Max file locks $limit") return 0 ;; esac
  done <"/proc/$1/limits"
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in *"$marker"*) return 0 ;; esac
  done <"/proc/$1/environ"
  return 1
} 2>/dev/null
living() {
  rows | while read -r pid state parent pgid session ticks; do
    case $state in [ZX]*) continue ;; esac
    [ "${ticks:-$since}" -ge "$since" ] || continue
    case " $known $group/ " in
      *" $pid/$ticks "* | *" $parent/"* | *" $pgid/"* | *" ${session:-$pgid}/"*) ;;
      *) marked "$pid" || continue ;;
    esac
    kill -0 "$pid" 2>/dev/null && echo "$pid/$ticks"
  done
}
clock() {
  if read -r up rest </proc/uptime; then now=$((${up%.*}00 + 1${up#*.} - 100)); else now=$((now + 20)); fi
} 2>/dev/null
pause() {
  sleep 0.2 2>/dev/null && return
  clock
  end=$((now + 20))
  while [ "$now" -lt "$end" ]; do clock; done
}
finish() {
  empty=0 asked=
  clock
  over=$((now + $2))
  while [ "$now" -lt "$over" ]; do
    known=$(echo $(living))
    # A child that is just being started is not marked yet: nothing must be found twice.
    if [ -n "$known" ]; then empty=0; else empty=$((empty + 1)); fi
    [ "$empty" -lt 2 ] || break
    for one in $known; do
      # Asked once each: many programs take a second TERM for impatience.
      case "$1 $asked " in 0* | *" $one "*) [ "$1" = KILL ] || continue ;; esac
      kill -s "$1" "${one%/*}"
      asked="$asked $one"
    done 2>/dev/null
    pause
    clock
  done
}
endTree() {
  finish 0 "$patience"
  finish TERM "$grace"
  [ -n "$known" ] && finish KILL 3000
  # Where processes cannot be listed, there is at least the group.
  [ -r /proc/self/stat ] || [ -z "$group" ] || kill -s KILL -- "-$group" 2>/dev/null
}
stopped() {
  rows | (while read -r pid state rest; do case "$pid $state" in "$PPID T"*) exit 0 ;; esac; done; exit 1)
}
hear() {
  while [ -n "$left" ]; do
    line=$(timeout -s ALRM "$left" /bin/sh -c 'IFS= read -r line && echo "$line"')
    case $? in
      0 | 1) return ;;
      124 | 142) if stopped; then (kill -s ALRM "$$"; endTree) & wait; fi; left=60 ;;
      *) left= ;;
    esac
  done
  IFS= read -r line
}
while hear; do
  set -- $line
  case $1 in
    done) marker= group= left= ;;
    mark) marker=$2 limit=$3 patience=$4 ;;
    group) group=$2 left=$3 ;;
  esac
done
[ -z "$marker" ] || endTree
