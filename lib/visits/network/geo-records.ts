import type { Reader, Response } from "maxmind";
import { isIpv6 } from "@/lib/platform/addresses";
import { type Place, placeOf } from "./record-facts";

/** One file for each address family: an IPv4 file answers an IPv6 address with a record of some other address. */
export type CityReaders = { v4: Reader<Response>; v6: Reader<Response> };

/** Where an address is. @param canonical an address as `canonicalAddress` returns it */
export const findPlace = (readers: CityReaders, canonical: string): Place =>
  placeOf((isIpv6(canonical) ? readers.v6 : readers.v4).get(canonical));

/** The country to which the registries assigned an address; the reader's file holds both families. */
export const findRegistryCountry = (reader: Reader<Response>, canonical: string): string | undefined =>
  placeOf(reader.get(canonical)).countryCode;
