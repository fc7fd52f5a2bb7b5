/**
 * Public suffixes of two labels on which client and emulator must agree. Source: the part for ICANN
 * domains of the list at publicsuffix.org, 9 February 2023.
 */
export const publicSuffixes = [
  ...["ac.uk", "co.uk", "gov.uk", "ltd.uk", "me.uk", "net.uk", "org.uk", "plc.uk"],
  ...["com.au", "edu.au", "gov.au", "net.au", "org.au", "co.nz", "net.nz", "org.nz"],
  ...["ac.jp", "co.jp", "go.jp", "ne.jp", "or.jp", "co.kr", "or.kr", "com.cn", "net.cn", "org.cn"],
  ...["com.hk", "com.sg", "com.tw", "com.my", "co.id", "co.in", "net.in", "org.in", "co.th"],
  ...["com.br", "net.br", "org.br", "com.ar", "com.mx", "com.co", "com.pe"],
  ...["co.za", "org.za", "com.tr", "com.ua", "com.pl", "co.il", "org.il", "com.eg", "com.sa"],
] as const;
