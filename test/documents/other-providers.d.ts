/** What samples use of providers that nothing here installs, as these declare it. */
declare module "@pulumi/kubernetes" {
  import type { CustomResource, Input } from "@pulumi/pulumi";

  namespace core.v1 {
    class Secret extends CustomResource {
      constructor(name: string, args: { stringData?: Input<Record<string, Input<string>>> });
    }
  }
}
