import { type NetworkRule, place } from "../rule";

/** Networks whose users are where the address is. */
const LOCAL = new Set(["residential", "mobile", "corporate"]);

const formatOffset = (minutes: number) => {
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
};

/**
 * The browser's clock matches no zone of the address's country. Applies only if both country sources agree and the
 * network is for homes, phones or offices. Compared with all zones of the country, since a single place's zone is wrong
 * for several percent of honest visitors.
 */
export const clockElsewhere: NetworkRule = {
  id: "network.clock-elsewhere",
  reason: "LOCATION_INCONSISTENT",
  source: "Time zones of countries by the IANA time zone database (zone.tab)",
  harmlessCauses: [
    "A traveller whose device keeps the time of home",
    "A visitor near a border, on a network of the neighbouring country",
    "A foreign SIM card: its traffic leaves through the home network",
    "A company whose offices share one way into the internet",
  ],
  check({ observed, clock }) {
    const { connectionType, countryAgrees } = observed;
    if (!clock || countryAgrees !== true || connectionType === undefined || !LOCAL.has(connectionType))
      return undefined;
    const { offsetsMinutes, countryOffsetsMinutes } = clock;
    if (offsetsMinutes.length === 0 || countryOffsetsMinutes.length === 0) return undefined;
    if (offsetsMinutes.some((offset) => countryOffsetsMinutes.includes(offset))) return undefined;
    return {
      status: "SUSPICIOUS",
      explanation:
        "The device's clock shows a time that is kept nowhere in the country that the connection comes from.",
      compared: [
        ...place("Browser's clock", clock.label, true),
        ...place("Country of the address", observed.countryName ?? observed.countryCode),
        ...place("Expected: a clock of that country", countryOffsetsMinutes.map(formatOffset).join(", ")),
      ],
    };
  },
};
