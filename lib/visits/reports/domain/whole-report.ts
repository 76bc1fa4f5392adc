import { type Activity, Report } from "@/lib/contract/report";

/** A Report but for what only the database knows when it stores it: the event's time, its device and the activity. */
export const ComposedReport = Report.omit({ created_at: true, device: true, activity: true, account_map: true });
export type ComposedReport = Omit<Report, "created_at" | "device" | "activity" | "account_map">;

/** What only the database knows: values, or the SQL that yields each. */
export type StoredFacts<Value> = {
  createdAt: Value;
  deviceId: Value;
  isSeenBefore: Value;
  accessCount: Value;
  firstSeenAt: Value;
  previousSeenAt: Value;
  activity: { [Window in keyof Activity]: Record<keyof Activity[Window], Value> };
};

/** A whole Report with every field in its place: the statement that stores a visit makes its text from this, too. */
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
