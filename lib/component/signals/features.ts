import { FEATURES } from "@/lib/contract/signal-lists";

import { bitmap } from "../read";

/**
 * Which dated features exist: a user agent cannot be older or newer than they are. Flags and policies switch some off.
 * By name, without their values: a browser makes many of them when they are first read, which takes longer than all else.
 */
export const readFeatures = () =>
  bitmap(FEATURES, (path) => {
    const names = path.split(".");
    const last = names.pop() as string;
    let holder: object = globalThis;
    // Without `reduce`, in whose place Prototype.js has its own.
    for (const name of names) holder = holder[name as keyof object];
    return last in holder;
  });
