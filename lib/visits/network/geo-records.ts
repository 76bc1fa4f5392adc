import type { Reader, Response } from "maxmind";
import { isIpv6 } from "@/lib/platform/addresses";
import { type Place, placeOf } from "./record-facts";

/** One file per address family, since an IPv4 file answers an IPv6 address with an unrelated record. */
export type CityReaders = { v4: Reader<Response>; v6: Reader<Response> };

/**
 * Finds the place of an address.
 *
 * @param canonical an address as returned by `canonicalAddress`
 */
export const findPlace = (readers: CityReaders, canonical: string): Place =>
  placeOf((isIpv6(canonical) ? readers.v6 : readers.v4).get(canonical));

/** Country to which the registries assigned an address. The reader's file contains both families. */
export const findRegistryCountry = (reader: Reader<Response>, canonical: string): string | undefined =>
  placeOf(reader.get(canonical)).countryCode;
