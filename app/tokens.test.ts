import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

const multiply = (matrix: Matrix, [x, y, z]: Rgb): Rgb => {
  const row = ([a, b, c]: Rgb) => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};
const map = ([x, y, z]: Rgb, change: (value: number) => number): Rgb => [change(x), change(y), change(z)];
const clip = (colour: Rgb) => map(colour, (value) => Math.min(1, Math.max(0, value)));

/** Source of both pairs of matrices: Ottosson, "A perceptual color space for image processing". */
const OKLAB_TO_LMS: Matrix = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
];
const LMS_TO_RGB: Matrix = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
];
const RGB_TO_LMS: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const LMS_TO_OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** Severity 1.0, on linear sRGB. Source: Machado, Oliveira and Fernandes 2009. */
const COLOUR_VISION: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function fromOklch(lightness: number, chroma: number, hueDegrees: number): Rgb {
  const hue = (hueDegrees * Math.PI) / 180;
  const lms = multiply(OKLAB_TO_LMS, [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]);
  return clip(
    multiply(
      LMS_TO_RGB,
      map(lms, (value) => value ** 3),
    ),
  );
}

/** WCAG 2.2, contrast ratio. */
function contrast(first: Rgb, second: Rgb): number {
  const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [a, b] = [luminance(first), luminance(second)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function distance(first: Rgb, second: Rgb): number {
  const lab = (colour: Rgb) => multiply(LMS_TO_OKLAB, map(multiply(RGB_TO_LMS, clip(colour)), Math.cbrt));
  const [a, b] = [lab(first), lab(second)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");

function readTheme(selector: string) {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? "";
  const tokens = new Map(
    [...block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g)].map(([, name, l, c, h]) => [
      name,
      fromOklch(Number(l), Number(c), Number(h)),
    ]),
  );
  return (name: string): Rgb => {
    const colour = tokens.get(name);
    if (!colour) throw new Error(`${selector} has no --${name}`);
    return colour;
  };
}

const RISKS = ["pass", "susp", "dec"];

describe.each([":root", ".dark"])("the palette of %s", (selector) => {
  const token = readTheme(selector);

  test.each([
    ["fg", "bg"],
    ["fg", "surface"],
    ["fg", "surface-2"],
    ["fg-muted", "bg"],
    ["fg-muted", "surface"],
    ["fg-muted", "surface-2"],
    ["accent", "surface"],
    ["accent", "bg"],
    ["accent-fg", "accent"],
    ["bg", "fg"],
    ...RISKS.map((risk) => [risk, `${risk}-bg`] as const),
    ...RISKS.map((risk) => [risk, "surface"] as const),
  ] as const)("text in %s on %s has a contrast of at least 4.5", (text, ground) => {
    expect(contrast(token(text), token(ground))).toBeGreaterThanOrEqual(4.5);
  });

  test.each([...RISKS.map((risk) => `${risk}-mark`), "border-strong", "ring"])(
    "%s has a contrast of at least 3 on every surface",
    (mark) => {
      expect(contrast(token(mark), token("surface"))).toBeGreaterThanOrEqual(3);
    },
  );

  test.each(Object.entries(COLOUR_VISION))("the three risk marks are at least 0.10 apart under %s", (_kind, matrix) => {
    const seen = RISKS.map((risk) => clip(multiply(matrix, token(`${risk}-mark`))));
    const distances = seen.flatMap((mark, index) => seen.slice(index + 1).map((other) => distance(mark, other)));
    expect(distances).toHaveLength(3);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(0.1);
  });
});
