import { FEATURES } from "@/lib/contract/signal-lists";

import { bitmap, lookUp } from "../read";

/** Which dated features exist: a user agent cannot be older or newer than they are. Flags and policies switch some off. */
export const readFeatures = () => bitmap(FEATURES, lookUp);
