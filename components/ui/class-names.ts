import { type ClassValue, clsx } from "clsx";

/** Joins class names. One that others may override carries the variant `base:`. */
export const cn = (...values: ClassValue[]): string => clsx(values);
