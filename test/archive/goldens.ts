/**
 * SHA-256 of the archive of each fixture under archive format 1. A value that changes means that every user's unchanged
 * extension is uploaded anew: it takes a new `archiveFormat`, never a new value alone.
 */
export const goldenChecksums: Readonly<Record<string, string>> = {
  tiny: "35d8b1aef72049d3cb749d7dbbdaa204a3482dce29cd241cd56ae408d1e38174",
  names: "795c69b676a08b208632d3711bac3ce75952dc93c30d1d69b81e8fb48d01c66a",
  bundle: "7ec92898f0c7e9f254cb0d3a3b9078719df3d3809b43384b7039d2d85a1a9cd6",
  images: "edcdd711240a28d6672dd5bad95ffb97cf227d2cbe316ec755e70e2b12a1c6b4",
  sparse: "86309bffe17b9de4c9c1daf7a759110c5f05f8a5df934908b1393057ef2ea0e9",
  repeats: "66f1bea33423ae7a03cfcf3e9b83479936d02e82bd58685d899360b5c63b8cba",
};

/** SHA-256 over the compressed fuzz inputs of codec.test.ts, in order. */
export const goldenCodecDigest = "917d390d36e23a3cd413005d93ee68800dd3d1c81ff787e9da0df44ebe3e722e";
