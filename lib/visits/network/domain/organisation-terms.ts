/**
 * Words in organisation names, by what they say about the network. For names in lower case without diacritics, in which
 * everything but letters and digits is a space. Entries of several words must appear in sequence.
 */

const terms = (text: string): string[] => text.split(",").map((term) => term.trim());

/** Commercial VPN services and words for them. */
export const VPN_TERMS = terms(`
  vpn, ivpn, nordvpn, expressvpn, surfshark, mullvad, windscribe, cyberghost, torguard, airvpn, privado, ipvanish,
  perfect privacy, ovpn, packethub, nord security, nordsec, protonvpn, proton vpn, purevpn, hidemyass, tunnelbear,
  private internet access, hide me, hotspot shield
`);

/** Names of operators of Tor exits, and of commercial proxies. */
export const PROXY_TERMS = terms(`
  anonymizer, tor exit, tor project, emerald onion, applied privacy, erneuerbare freiheit, torservers, artikel10,
  residential proxies, proxy service, proxy services, proxies, red proxy, key proxy
`);

/** Hosting companies whose name does not say so. */
export const HOSTING_BRANDS = terms(`
  amazon, aws, google llc, google cloud, microsoft, azure, oracle corporation, cloudflare, fastly, akamai, linode,
  incapsula, imperva, sucuri, stackpath, cachefly, limelight, edgio, gcore, g core, bunnyway, keycdn, quantil,
  cdnetworks, zenlayer, hetzner, ovh, ovhcloud, digitalocean, vultr, choopa, constant company, scaleway, contabo,
  ionos, strato, netcup, plusserver, myloc, leaseweb, worldstream, i3d net, serverius, nforce, novoserve, hostkey,
  aruba, glesys, upcloud, m247, datacamp, voxility, frantech, buyvm, colocrossing, psychz, quadranet, interserver,
  godaddy, namecheap, unified layer, newfold, bluehost, dreamhost, liquid web, rackspace, tzulo, hivelocity, nocix,
  steadfast, phoenix nap, phoenixnap, latitude sh, maxihost, equinix, digital realty, performive, reliablesite,
  kamatera, alibaba, aliyun, tencent, huawei international, ucloud, kingsoft, baidu, sakura internet, gmo internet,
  kagoya, selectel, timeweb, reg ru, beget, firstbyte, mchost, aeza, stark industries, ip volume, amarutu, flokinet,
  alexhost, mevspace, firstcolo, marbis, meerfarbig, dataforest, gandi, infomaniak, online s a s, ikoula, nexcess,
  singlehop, webzilla, clouvider, iomart, heart internet, packet host, fly io, render services, heroku, vercel,
  netlify, salesforce, servers com, zayo cloud, sharktech, volumedrive, gorillaservers, cogeco peer 1, internap,
  inap, multacom, it7 networks, b2 net solutions, 24 shells, gthost, pfcloud, hz hosting, tilaa, transip, combell,
  one com, loopia, simply com, home pl, nazwa pl, forpsi, wedos, websupport, zomro
`);

/** Words for hosting. */
export const HOSTING_TERMS = terms(`
  host, hosts, hoster, hosting, webhost, webhosting, hostings, hebergement, hospedagem, alojamiento, server, servers,
  serveur, serveurs, servidor, vps, vds, kvm, cloud, clouds, nube, iaas, paas, data center, data centre,
  data centers, data centres, datacenter, datacentre, datacenters, datacentres, centro de datos, centro de dados,
  centre de donnees, dc group, data hub, datahub, colo, colocation, colocations, dedicated, rack, racks, cdn,
  content delivery, bare metal, baremetal, virtual machine, virtual machines, anycast, ddos, anti ddos, edge compute,
  compute, gpu
`);

/** Suffixes that form one word with a brand: "examplehosting", "examplecloud". */
export const HOSTING_SUFFIXES = terms(`
  hosting, hoster, servers, server, cloud, vps, datacenter, datacentre, cdn, hosts
`);

/** Phrases that contain a hosting word but mean something else: telephony, civil servants, towns. */
export const HOSTING_BARS = terms(`
  voice cloud, servidores publicos, servidores municipais, observer, observers, preserver, st cloud, saint cloud,
  mccloud, dedicated to
`);

/** Words for banks, schools, authorities and other organisations with networks for their own people. */
export const CORPORATE_TERMS = terms(`
  bank, banks, banque, banco, banca, banka, bankas, sparkasse, insurance, assurance, assurances, versicherung,
  seguros, financial, finance, securities, capital, investment, investments, hospital, hospitals, clinic, klinik,
  klinikum, health, healthcare, medical, pharma, pharmaceuticals, university, universities, universidad,
  universidade, universita, universitat, universitaet, universite, universiteit, universitet, uniwersytet,
  universitas, institut, institute, instituto, college, school, schools, hochschule, ecole, escuela, academy,
  akademie, education, research, laboratory, library, ministry, ministerio, ministere, ministerstvo, ministerium,
  government, govt, gobierno, federal, department of, city of, county of, state of, town of, county, municipality,
  municipal, stadt, landkreis, parliament, police, army, navy, air force, defense, defence, court, council, agency,
  authority, airlines, airport, railway, railways, railroad, logistics, shipping, motors, automotive, steel,
  petroleum, oil, gas, mining, chemical, chemicals, foods, brewery, retail, supermarkets, stores, manufacturing,
  industries, construction, consulting, law, llp, advokat, hotel, hotels, church, foundation, museum, newspaper,
  publishing, press, broadcasting corporation, software, semiconductor, semiconductors, electronics, aerospace,
  energy, nuclear, insurance company, dod, network information center, network coordination centre, academic network
`);

/** Words for mobile carriers. */
export const MOBILE_TERMS = terms(`
  mobile, mobiles, movil, moviles, movel, mobiltelefon, cellular, celular, cell c, cellco, gsm, lte, 3g, 4g, 5g, pcs,
  wireless carrier, t mobile, movistar movil, vodacom, airtel, vodafone data, telenor pakistan, grameenphone, mtn,
  turkcell, megafon, telkomsel, docomo, digicel
`);

/** Words that only appear in names of carriers for households and offices. */
export const STRONG_ISP_TERMS = terms(`
  telecom, telecoms, telecommunication, telecommunications, telekom, telekomunikasi, telekomunikacje,
  telekomunikasyon, telecomunicacoes, telecomunicaciones, telecomunicazioni, telecomunicacions, telekommunikation,
  telecomunicatii, telekomunikacija, telekomunikacije, telekomunikacijos, telecomm, telco, telcom, broadband, cable,
  cables, cablevision, kabel, fiber, fibers, fibre, fibra, fibras, ftth, optic, isp, telephone, telephones,
  telefonica, telefonia, telefon, telefono, phone company, dsl, adsl, xdsl, banda larga, banda ancha, provedor,
  provedores, internet service provider, wisp, backbone
`);

/** Suffixes that form one word with a place: "exampletelecom". */
export const STRONG_ISP_SUFFIXES = ["telecom", "telekom", "telefon", "telefonica", "broadband", "telephone"];

/** ISP words that outweigh a hosting brand in the same name. */
export const CARRIER_TERMS = ["telecom", "telecommunications", "broadband", "cable"];

/** Words for internet providers that are also used in other trades. */
export const ISP_TERMS = terms(`
  internet, communications, communication, comunicacoes, comunicaciones, comunicazioni, kommunikation, wireless,
  wifi, wi fi, satellite, network, networks, net, netz, redes, online, connect, connection, wimax, airband,
  stadtwerke, stadtnetz, cooperative telephone, comcast, charter, cox, verizon, vodafone, orange, proximus, swisscom,
  telia, telenor, tele2, kpn, sky uk, virgin media, british telecommunications, bouygues, free sas, iliad, ziggo,
  rostelecom, chinanet, china unicom, kddi, softbank, ntt, vnpt, viettel, bharti, bsnl, telstra, optus, at t,
  frontier, centurylink, windstream, mediacom, uninet, vtr, claro, telmex, telefonica, netia, upc, liberty global,
  bell canada, rogers, telus, videotron, wind tre, fastweb, sfr, telenet, sunrise, dna oyj, iinet, odido, eircom,
  bezeq, brightspeed, breezeline, biglobe, optage, jcom, sanchar nigam, powercomm, cantv, superonline, vivacom,
  starlink, viasat, wideopenwest, kazakhtelecom, turknet, digi romania
`);
