import { type ClassValue, clsx } from "clsx";

/** Joins class names. Classes that callers may override carry the variant `base:`. */
export const cn = (...values: ClassValue[]): string => clsx(values);
