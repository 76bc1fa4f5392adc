import { type Activity, Report } from "@/lib/contract/report";

/** A Report without the fields that only the database knows when it stores the visit: its time, device and activity. */
export const ComposedReport = Report.omit({ created_at: true, device: true, activity: true, account_map: true });
export type ComposedReport = Omit<Report, "created_at" | "device" | "activity" | "account_map">;

/** Facts that only the database knows, as values or as the SQL expressions for them. */
export type StoredFacts<Value> = {
  createdAt: Value;
  deviceId: Value;
  isSeenBefore: Value;
  accessCount: Value;
  firstSeenAt: Value;
  previousSeenAt: Value;
  activity: { [Window in keyof Activity]: Record<keyof Activity[Window], Value> };
};

/** Assembles a whole Report in its field order. The statement that stores a visit builds its JSON from this too. */
export const wholeReport = <Field, Value>(
  { schema_version, imprint, ...composed }: Readonly<Record<keyof ComposedReport, Field>>,
  stored: StoredFacts<Value>,
) => ({
  schema_version,
  imprint,
  created_at: stored.createdAt,
  device: {
    id: stored.deviceId,
    seen_before: stored.isSeenBefore,
    access_count: stored.accessCount,
    first_seen_at: stored.firstSeenAt,
    previous_seen_at: stored.previousSeenAt,
  },
  ...composed,
  activity: stored.activity,
});
