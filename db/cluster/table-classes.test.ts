import { getTableName, is } from "drizzle-orm";
import { getTableConfig, PgTable, type PgColumn } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";

import * as schema from "../schema";
import { DISTRIBUTION_COLUMN, TABLE_CLASSES } from "./table-classes";

const TABLES = Object.values(schema).filter((value) => is(value, PgTable));

test("every table has a class that decides its placement on a cluster, and nothing else has one", () => {
  expect([...TABLE_CLASSES.keys()].sort()).toEqual([...new Set(TABLES.map(getTableName))].sort());
});

const tenants = TABLES.filter((table) => TABLE_CLASSES.get(getTableName(table)) === "tenant");
const hasWorkspace = (columns: readonly Pick<PgColumn, "name">[]) =>
  columns.some(({ name }) => name === DISTRIBUTION_COLUMN);

test.each(tenants.map((table) => [getTableName(table), table] as const))(
  "%s is distributed: the workspace is not null and part of every unique key",
  (_name, table) => {
    const { columns, indexes, primaryKeys, uniqueConstraints } = getTableConfig(table);
    expect(columns.find(({ name }) => name === DISTRIBUTION_COLUMN)?.notNull).toBe(true);
    const unique = [
      ...primaryKeys.map((key) => key.columns),
      ...columns.filter(({ primary, isUnique }) => primary || isUnique).map((column) => [column]),
      ...uniqueConstraints.map((constraint) => constraint.columns),
      ...indexes
        .filter(({ config }) => config.unique)
        .map(({ config }) =>
          config.columns.flatMap((column) => ("name" in column ? [{ name: String(column.name) }] : [])),
        ),
    ];
    expect(unique.filter((key) => !hasWorkspace(key))).toEqual([]);
  },
);

test("a foreign key references a table on the same server", () => {
  const classOf = (table: PgTable) => TABLE_CLASSES.get(getTableName(table));
  const wrong = TABLES.flatMap((table) =>
    getTableConfig(table).foreignKeys.flatMap((key) => {
      const target = key.reference().foreignTable;
      const isBeside = classOf(target) === "lookup" || classOf(target) === classOf(table);
      const isOfOne = classOf(target) !== "tenant" || hasWorkspace(key.reference().columns);
      return isBeside && isOfOne ? [] : [`${getTableName(table)} to ${getTableName(target)}`];
    }),
  );
  expect(wrong).toEqual([]);
});
