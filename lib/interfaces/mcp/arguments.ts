import { z } from "zod";

import { idPattern } from "@/lib/contract/ids";

/** Arguments shared by several tools. Kept short because clients send the tool list to the model. */
export const Day = z.iso.date("expected a date, YYYY-MM-DD");

export const DeviceId = z.string().regex(idPattern("device"), "expected dev_ and 32 hex digits");

/** An instant with an offset, or a day. */
export const Time = z.union(
  [Day, z.iso.datetime({ offset: true })],
  "expected YYYY-MM-DD, or an instant as 2026-01-31T09:00:00Z",
);

/** Without milliseconds, which cost tokens and say nothing: `2026-01-31T09:00:00Z`. */
export const instantText = (at: Date): string => `${at.toISOString().slice(0, "2026-01-31T09:00:00".length)}Z`;
