import { expect, test } from "vitest";

import { withoutSecrets } from "./detail";

const key = `svc_live_${"a".repeat(38)}`;

test.each([
  [{ name: `my key ${key}!` }, { name: "my key [redacted]!" }],
  [{ names: ["ok", key] }, { names: ["ok", "[redacted]"] }],
  [{ token: "0f".repeat(32) }, { token: "[redacted]" }],
  [
    { count: 3, flag: true, none: null, id: `key_${"0f".repeat(16)}` },
    { count: 3, flag: true, none: null, id: `key_${"0f".repeat(16)}` },
  ],
])("the detail %j is kept as %j", (detail, kept) => {
  expect(withoutSecrets(detail)).toEqual(kept);
});
