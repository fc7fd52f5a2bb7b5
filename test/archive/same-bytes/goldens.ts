/**
 * SHA-256 of the archive of each fixture under archive format 1. A changed value would upload every
 * user's unchanged extension again: a change requires a new `archiveFormat`, never a new value
 * alone.
 */
export const goldenChecksums: Readonly<Record<string, string>> = {
  tiny: "35d8b1aef72049d3cb749d7dbbdaa204a3482dce29cd241cd56ae408d1e38174",
  names: "810e0f5f6feae9347c69fe838f032c43f0c89ce7ea4663554392841272c34add",
  bundle: "fb4bb1d667e9583033c104f511f90e82540a90488a4c5e743cf67640ab2aad1f",
  images: "edcdd711240a28d6672dd5bad95ffb97cf227d2cbe316ec755e70e2b12a1c6b4",
  sparse: "3ec4c845d4bc0c17d69a46da1eb2fdcc179e60e28faad65e2280c20257c5e2eb",
  repeats: "a3e792eb4da6cf3583893e5e19e8aab79db3f7ad2c58fee0db00fca51cbe1d68",
};

/** SHA-256 over the compressed fuzz inputs of codec.test.ts, in order. */
export const goldenCodecDigest = "b3029b129bf8c6591f82b61be291f3980f9744e96e00de4856f61aa45d71b455";
