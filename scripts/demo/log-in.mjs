/**
 * Logs in like the page at the address: exchanges the code, and submits the form.
 *
 * @param {string} address
 */
export async function logInAt(address) {
  const { origin, pathname, searchParams } = new URL(address);
  const operations = `${origin}/auth/connections/${pathname.split("/").at(-1)}`;
  /**
   * @param {string} path
   * @param {object} body
   * @param {Record<string, string>} [headers]
   */
  const post = async (path, body, headers) => {
    const response = await fetch(operations + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const { jwt } = await post("/exchange", { code: searchParams.get("code") });
  const form = { field_values: { username: "ada", password: "any" } };
  await post("/submit", form, { authorization: `Bearer ${jwt}` });
}
