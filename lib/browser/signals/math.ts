/** Results whose last digits differ between the maths libraries of engines and systems. The order is part of the wire format. */
export const readMath = () => [
  Math.acos(0.123),
  Math.asinh(1),
  Math.atanh(0.5),
  Math.cos(1e251),
  Math.expm1(1),
  Math.sinh(1),
  Math.tan(-1e300),
  Math.pow(Math.PI, -100),
];
