/** The folder of uBlock Origin as Debian packs it; undefined when it cannot be downloaded. */
export function ublockOrigin(): string | undefined;
