import { customType, timestamp } from "drizzle-orm/pg-core";

import { type IdKind, idToUuid, uuidToId } from "@/lib/contract/ids";

/** An identifier of `kind`: 16 bytes in the database, prefix and hex in the program. */
export const id = (kind: IdKind, name: string) =>
  customType<{ data: string; driverData: string }>({
    dataType: () => "uuid",
    toDriver: idToUuid,
    fromDriver: (uuid) => uuidToId(kind, uuid),
  })(name);

export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => "bytea" });

/** A timestamp with microsecond precision. A JavaScript `Date` keeps only milliseconds, so ordering happens in SQL. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: "date" });
