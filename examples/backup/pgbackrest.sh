#!/usr/bin/env bash
# Continuous backups of a PostgreSQL server of your own by pgBackRest, and a restore to a point in time.
# Runs as the system user that owns the database files (postgres). `npm run drill` runs it against a real server.
#
#   PGDATA              files of the server, e.g. /var/lib/postgresql/15/main
#   PG_BIN              its programs, e.g. /usr/lib/postgresql/15/bin
#   PGBACKREST_CONFIG   where the settings are written, e.g. /etc/pgbackrest.conf
#   REPOSITORY          where the backups go: another disk, or see repo1-type for S3, Azure, GCS and SFTP
#   CIPHER_PASS         encrypts them; keep it elsewhere too
set -euo pipefail
export PGBACKREST_CONFIG PGBACKREST_STANZA=imprint

case "${1:?configure, first, backup, verify or restore}" in
  configure)
    umask 077
    cat > "$PGBACKREST_CONFIG" <<CONFIG
[global]
repo1-path=$REPOSITORY
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=$CIPHER_PASS
repo1-retention-full=2
compress-type=zst
start-fast=y
lock-path=${LOCK_PATH:-/tmp/pgbackrest}
log-path=${LOG_PATH:-/var/log/pgbackrest}
log-level-console=warn

[imprint]
pg1-path=$PGDATA
pg1-port=${PGPORT:-5432}
pg1-socket-path=${PGHOST:-/var/run/postgresql}
CONFIG
    # Takes effect when the server is started again.
    cat >> "$PGDATA/postgresql.auto.conf" <<SETTINGS
archive_mode = on
archive_command = 'pgbackrest --config=$PGBACKREST_CONFIG --stanza=imprint archive-push %p'
archive_timeout = 60
SETTINGS
    ;;
  first)
    # Once, with the server running.
    pgbackrest stanza-create
    pgbackrest check
    pgbackrest backup --type=full
    ;;
  backup)
    # By a timer: a full one on Sundays, incremental ones on other days.
    pgbackrest backup --type="${2:-incr}"
    ;;
  verify)
    pgbackrest check
    pgbackrest verify
    pgbackrest info
    ;;
  restore)
    # With the service stopped. The time as PostgreSQL writes it, e.g. "2026-11-23 03:15:00+00".
    "$PG_BIN/pg_ctl" stop --pgdata="$PGDATA" --mode=fast
    pgbackrest restore --delta --type=time --target="${2:?the time to go back to}" --target-action=promote
    "$PG_BIN/pg_ctl" start --pgdata="$PGDATA" --wait --timeout=600 --log="$PGDATA/restore.log"
    ;;
  *)
    echo "configure, first, backup, verify or restore" >&2
    exit 2
    ;;
esac
