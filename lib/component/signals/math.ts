/** Results whose last digits differ between the maths libraries of engines and systems. The order is part of the wire format; components before 0.3.0 send four more. */
export const readMath = () => [Math.acos(0.123), Math.asinh(1), Math.atanh(0.5), Math.cos(1e251)];
