/**
 * Types of foreign providers that samples use and no package here installs, as the providers
 * declare the types.
 */
declare module "@pulumi/kubernetes" {
  import type { CustomResource, Input } from "@pulumi/pulumi";

  namespace core.v1 {
    class Secret extends CustomResource {
      constructor(name: string, args: { stringData?: Input<Record<string, Input<string>>> });
    }
  }
}
