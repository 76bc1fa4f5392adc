import { expect, test } from "vitest";

import { changedHardware, hardwareOf, isSameCard } from "./hardware";
import { particularDesktop, stockIphone } from "./testing";

test.each([
  [
    "ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 (0x00002504) Direct3D11 vs_5_0 ps_5_0, D3D11)",
    "NVIDIA GeForce RTX 3060/PCIe/SSE2",
  ],
  [
    "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)",
    "ANGLE (Intel, Intel(R) UHD Graphics 620 (0x00005917) Direct3D11 vs_5_0 ps_5_0, D3D11)",
  ],
  ["ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)", "ANGLE (Apple, Apple M2, OpenGL 4.1)"],
  ["Adreno (TM) 740", "ANGLE (Qualcomm, Adreno (TM) 740, OpenGL ES 3.2)"],
  ["", "Adreno (TM) 740"],
])("%s is the same card as %s", (one, other) => {
  expect([isSameCard(one, other), isSameCard(other, one)]).toEqual([true, true]);
});

test.each([
  ["NVIDIA GeForce RTX 3060/PCIe/SSE2", "ANGLE (NVIDIA, NVIDIA GeForce RTX 4070 Direct3D11 vs_5_0 ps_5_0, D3D11)"],
  ["ANGLE (Intel, Intel(R) UHD Graphics 620)", "ANGLE (AMD, AMD Radeon RX 6700 XT)"],
  [
    "ANGLE (Apple, ANGLE Metal Renderer: Apple M2, Unspecified Version)",
    "ANGLE (Apple, ANGLE Metal Renderer: Apple M3)",
  ],
  ["Mali-G78", "Adreno (TM) 740"],
])("%s is a different card from %s", (one, other) => {
  expect([isSameCard(one, other), isSameCard(other, one)]).toEqual([false, false]);
});

test("hardware that a browser hides or fakes is not compared", () => {
  expect(hardwareOf(particularDesktop({ isMasked: true }))).toEqual({});
  expect(hardwareOf(particularDesktop({ browser: "brave" })).gpu).toBeUndefined();
  expect(changedHardware(stockIphone(), hardwareOf(stockIphone({ gpu: "Apple A17 GPU" })))).toEqual([]);
  expect(changedHardware(particularDesktop({ gpu: "" }), hardwareOf(particularDesktop()))).toEqual([]);
});
