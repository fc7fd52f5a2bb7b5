/**
 * Test runners that samples of the docs import and this package does not install. The functions
 * have jest's types, which the runners follow.
 */
declare module "vitest" {
  export const describe: jest.Describe;
  export const test: jest.It;
  export const it: jest.It;
  export const expect: jest.Expect;
  export const beforeAll: jest.Lifecycle;
  export const beforeEach: jest.Lifecycle;
  export const afterAll: jest.Lifecycle;
  export const afterEach: jest.Lifecycle;
}
