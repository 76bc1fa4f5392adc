import { type NetworkRule, place } from "../rule";

/** Networks whose users are where their address is. */
const LOCAL = new Set(["residential", "mobile", "corporate"]);

const formatOffset = (minutes: number) => {
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
};

/**
 * The browser's clock keeps the time of no zone of the address's country. Asked only where both country sources agree
 * and the network is one of homes, phones or offices; compared with every zone of the country, since the zone of a
 * single place is wrong for a few honest visitors in a hundred.
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
