/** Languages whose folders below `_locales` Chromium 156 reads. Other folders are ignored. */
const languages = new Set(
  (
    "af ak am an ar as ast az be bg bm bn br bs ca ceb chr ckb cs cy da de doi ee el en eo es et eu fa fi fil fo fr fy " +
    "ga gd gl gu ha haw he hi hr hu hy ia id ig is it ja jv ka kk km kn ko kok ku ky lb lg ln lo lt lv mai mg mi mk ml " +
    "mn mni mr ms mt my nb ne nl nn no nso oc om or pa pl ps pt qu rm ro ru rw sa sd si sk sl sn so sq sr st su sv sw " +
    "ta te tg th ti tk tn to tr tt ug uk ur uz vi wa wo xh yi yo zh zu"
  ).split(" "),
);

/** Names in the form of a region of such a language, ignored by Chromium. */
const ignoredRegions = new Set(
  "az_AZ bs_BA en_001 en_150 no_NO pa_IN sd_PK sr_ME sr_RS su_ID uz_UZ zh_HK zh_MO zh_SG".split(" "),
);

/** Whether Chromium reads the folder of a locale below `_locales`, such as `en` or `pt_BR`. */
export function isLocale(name: string): boolean {
  const [, language = ""] = /^([a-z]{2,3})(?:_[A-Z][a-z]{3})?(?:_(?:[A-Z]{2}|\d{3}))?$/.exec(name) ?? [];
  return languages.has(language) && !ignoredRegions.has(name);
}
