import { statusUrl } from "./addresses";

const ONCE = "make no second intent and sign no second payment";

/** Advice to a buyer who cannot know whether its payment was made. */
export const askStatus = (intentId: string): string =>
  `The money may already have moved: ask ${statusUrl(intentId)} with the claim token, ${ONCE}`;

/** As `askStatus`, if the purchase could not be looked up. */
export const callAgain = (): string =>
  `The money may already have moved: make the same call with the same claim token again, ${ONCE}`;
