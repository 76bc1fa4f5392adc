import { flag, pick, text } from "../read";
import { brands } from "./realm";

type UserAgentData = { getHighEntropyValues: (hints: string[]) => Promise<unknown> };

const LISTS = "brands fullVersionList";
const TEXTS = "platform platformVersion architecture bitness model";

/** User-Agent Client Hints. Absent in Firefox, Safari and on plain http. */
export const readUaData = async () => {
  const { userAgentData } = navigator as Navigator & { userAgentData?: UserAgentData };
  const hints = await userAgentData?.getHighEntropyValues(`${LISTS} ${TEXTS}`.split(" "));
  return hints && { ...pick(hints, brands, LISTS), ...pick(hints, text, TEXTS), ...pick(hints, flag, "mobile") };
};
