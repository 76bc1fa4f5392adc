import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withUserAgent, withValues } from "../../testing";
import type { Visit } from "../visit";
import { systemGraphics } from "./system-graphics";

const DIRECT3D = "ANGLE (Intel, Intel(R) UHD Graphics 620 (0x00005917) Direct3D11 vs_5_0 ps_5_0, D3D11)";
const METAL = "ANGLE (Apple, ANGLE Metal Renderer: Apple M1, Unspecified Version)";
const MESA = "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)";
const WSL = "ANGLE (Microsoft Corporation, D3D12 (NVIDIA GeForce RTX 3060), OpenGL 4.2)";
const SWIFT_SHADER = "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)";
const drawing = (visit: Visit, renderer: string) => withValues(visit, { webgl: { renderer, limits: [8192] } });
const { chromium, firefox } = CAPTURED;
const { chromeWindows11, chromeAndroid } = DESCRIBED;
const onMac = withUserAgent(
  chromium,
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
);

test.each([
  ["Direct3D under Linux", drawing(chromium, DIRECT3D), "DECEPTIVE"],
  ["Direct3D on a phone", drawing(chromeAndroid, DIRECT3D), "DECEPTIVE"],
  ["Metal under Windows", drawing(chromeWindows11, METAL), "DECEPTIVE"],
  ["a Mac's driver under Windows", drawing(chromeWindows11, "Intel Iris OpenGL Engine"), "DECEPTIVE"],
  ["Linux drivers on a Mac", drawing(onMac, MESA), "DECEPTIVE"],
  ["Direct3D in the worker alone", withValues(chromium, { worker: { renderer: DIRECT3D } }), "DECEPTIVE"],
  ["Linux drivers under Windows, where ports exist", drawing(chromeWindows11, MESA), "SUSPICIOUS"],
])("catches %s as %s", (_name, visit, status) => {
  expect(findingOf(systemGraphics, visit)?.status).toBe(status);
});

test.each([
  ["Direct3D under Windows", drawing(chromeWindows11, DIRECT3D)],
  ["Metal on a Mac", drawing(onMac, METAL)],
  ["Mesa under Linux", drawing(chromium, MESA)],
  ["Linux inside Windows", drawing(chromium, WSL)],
  ["software graphics anywhere", drawing(chromeWindows11, SWIFT_SHADER)],
  ["WebKit on Linux, which masks its graphics", drawing(DESCRIBED.safariMac, "Apple GPU")],
  [
    "Firefox, which gives a similar one",
    drawing(firefox, "ANGLE (NVIDIA, GeForce GTX 980 Direct3D11 vs_5_0), or similar"),
  ],
  ["a browser without graphics", chromium],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(systemGraphics, visit)).toBeUndefined();
});
