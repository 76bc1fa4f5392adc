import { statusUrl } from "./addresses";

const ONCE = "make no second intent and sign no second payment";

/** What a buyer has to do who cannot know whether its payment was made. */
export const askStatus = (intentId: string): string =>
  `The money may already have moved: ask ${statusUrl(intentId)} with the claim token, ${ONCE}`;

/** The same, where the purchase could not be looked up. */
export const callAgain = (): string =>
  `The money may already have moved: make the same call with the same claim token again, ${ONCE}`;
