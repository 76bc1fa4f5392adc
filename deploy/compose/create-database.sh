#!/bin/sh
# Run once, on an empty volume: a role that owns its database, sees what keeps the server busy, and is no superuser.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$IMPRINT_PASSWORD" --username="${POSTGRES_USER:-postgres}" <<'SQL'
create role imprint login password :'password';
grant pg_read_all_stats to imprint;
create database imprint owner imprint;
SQL
