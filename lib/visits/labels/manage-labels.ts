import type { z } from "zod";

import type { setLabelOperation } from "@/lib/contract/labels";
import type { Context } from "@/lib/platform/context";
import { setLabel } from "./set-label";

/**
 * Sets a label with a management key.
 *
 * @throws AppError `forbidden`, `not_found`, `invalid_request`, `invalid_account_ref`, `account_map_not_allowed`
 */
export async function setManagedLabel(
  context: Context,
  { workspaceId }: { workspaceId: string },
  body: z.output<typeof setLabelOperation.body>,
) {
  const { imprint, device_id: deviceId, account_id: accountId, account_ref: accountRef, label } = body;
  const set = await setLabel(context, { workspaceId, subject: { imprint, deviceId, accountId, accountRef }, label });
  return {
    subject: set.kind,
    id: set.id,
    label: set.label,
    previous_label: set.previous,
    labelled_at: set.labelledAt?.toISOString() ?? null,
  };
}
