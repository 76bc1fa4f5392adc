import { z } from "zod";

import { Imprint, Instant } from "./fields";
import { idPattern } from "./ids";
import { defineOperation } from "./operation";

/** What was found out about a visit, device or account afterwards. A tester's visits count neither for nor against a rule. */
export const LABELS = ["fraud", "legitimate", "tester"] as const;
export type Label = (typeof LABELS)[number];

export const LABEL_SUBJECTS = ["visit", "device", "account"] as const;
export type LabelSubject = (typeof LABEL_SUBJECTS)[number];

const LabelValue = z.enum(LABELS);
const DeviceId = z.string().regex(idPattern("device"));
const AccountId = z.string().regex(idPattern("account"));

export const setLabelOperation = defineOperation({
  id: "setLabel",
  method: "POST",
  path: "/api/v1/labels",
  summary: "Label a visit, a device or an account",
  description:
    "Scope `labels` of a management key. Name exactly one of `imprint`, `device_id`, `account_id` and `account_ref`; `label` null removes the label. Idempotent. A label never changes a Report: labels measure how accurate the rules are.",
  security: "managementKey",
  body: z.strictObject({
    imprint: Imprint.optional(),
    device_id: DeviceId.optional(),
    account_id: AccountId.optional(),
    account_ref: z.string().min(1).max(128).optional().describe("The reference that your server sends for Account Map"),
    label: LabelValue.nullable(),
  }),
  exactlyOneOf: ["imprint", "device_id", "account_id", "account_ref"],
  bodyLimitBytes: 4 * 1024,
  responses: {
    200: z
      .strictObject({
        subject: z.enum(LABEL_SUBJECTS),
        id: z.string().describe("Imprint, device id or account id"),
        label: LabelValue.nullable(),
        previous_label: LabelValue.nullable(),
        labelled_at: Instant.nullable().describe("Null if there is no label"),
      })
      .meta({ id: "SetLabel" }),
  },
  errors: [
    "invalid_request",
    "invalid_account_ref",
    "not_found",
    "account_map_not_allowed",
    "auth_failed",
    "forbidden",
    "rate_limited",
  ],
});
