#!/bin/sh
# Runs once, on an empty volume. Creates a role that owns its database, can read all statistics, and is not a superuser.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$IMPRINT_PASSWORD" --username="${POSTGRES_USER:-postgres}" <<'SQL'
create role imprint login password :'password';
grant pg_read_all_stats to imprint;
create database imprint owner imprint;
SQL
