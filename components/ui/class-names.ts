import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({ extend: { classGroups: { "font-size": [{ text: ["title", "figure"] }] } } });

/** Joins class names; of two that set the same property the later one stays. */
export const cn = (...values: ClassValue[]): string => merge(clsx(values));
