#!/bin/sh
# Run once, on an empty volume: a role that owns its database and is no superuser.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$IMPRINT_PASSWORD" --username="${POSTGRES_USER:-postgres}" <<'SQL'
create role imprint login password :'password';
create database imprint owner imprint;
SQL
