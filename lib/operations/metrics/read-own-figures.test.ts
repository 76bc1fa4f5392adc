import { expect, test } from "vitest";

import { metricsUrl } from "./read-own-figures";

test.each([
  ["127.0.0.1", "http://127.0.0.1:9464/metrics"],
  ["0.0.0.0", "http://127.0.0.1:9464/metrics"],
  ["metrics.internal", "http://metrics.internal:9464/metrics"],
  ["::", "http://[::1]:9464/metrics"],
  ["::1", "http://[::1]:9464/metrics"],
  ["fd00::5", "http://[fd00::5]:9464/metrics"],
])("metrics that are served on %s are read at %s", (host, url) => {
  expect(metricsUrl(host, 9464)).toBe(url);
  expect(URL.canParse(url)).toBe(true);
});
