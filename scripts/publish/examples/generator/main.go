// Converts programs in YAML into TypeScript, Python, Go, C# and Java, with the code generators of
// Pulumi. Only these versions of the modules have the generators of all languages.
//
// Usage: generator SCHEMA PROGRAMS
// PROGRAMS is a file with programs in YAML by name, as JSON. The output contains the programs by name and
// language, as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/ast"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/model"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/zclconf/go-cty/cty"
)

type generate func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

// The generators by the language of a block in Markdown, with the ending of their programs.
var languages = map[string]struct {
	ending   string
	generate generate
}{
	"typescript": {".ts", nodejs.GenerateProgram},
	"python":     {".py", python.GenerateProgram},
	"go":         {".go", golang.GenerateProgram},
	"csharp":     {".cs", dotnet.GenerateProgram},
	"java":       {".java", java.GenerateProgram},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: generator SCHEMA PROGRAMS")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	given, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	var sources map[string]string
	if err := json.Unmarshal(given, &sources); err != nil {
		return err
	}
	programs := map[string]map[string]string{}
	for name, source := range sources {
		programs[name] = map[string]string{}
		for language, generator := range languages {
			program, err := convert(source, text, generator.generate, generator.ending)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, language, err)
			}
			programs[name][language] = program
		}
	}
	return json.NewEncoder(os.Stdout).Encode(programs)
}

// The program in one language. Each conversion binds the schema again, because generators leave their own
// settings in it.
func convert(source string, schemaText []byte, generate generate, ending string) (string, error) {
	loader, err := load(schemaText)
	if err != nil {
		return "", err
	}
	template, problems, err := pulumiyaml.LoadYAMLBytes("Pulumi.yaml", []byte(source))
	if err != nil {
		return "", err
	}
	if problems.HasErrors() {
		return "", problems
	}
	program, diagnostics, err := codegen.EjectProgram(template, loader)
	if err != nil || diagnostics.HasErrors() {
		return "", errors.Join(err, diagnostics)
	}
	if ending != ".ts" {
		setDeleteBeforeReplace(program, template)
	}
	files, diagnostics, err := generate(program)
	if err != nil || diagnostics.HasErrors() {
		return "", errors.Join(err, diagnostics)
	}
	for path, content := range files {
		if filepath.Ext(path) == ending {
			return strings.TrimSpace(string(content)) + "\n", nil
		}
	}
	return "", errors.New("the generator wrote no program")
}

// Sets the option "deleteBeforeReplace", which the conversion from YAML omits. Our classes for TypeScript set
// the option themselves. The generator for Java omits the option.
func setDeleteBeforeReplace(program *pcl.Program, template *ast.TemplateDecl) {
	wanted := map[string]bool{}
	for _, resource := range template.Resources.Entries {
		option := resource.Value.Options.DeleteBeforeReplace
		wanted[resource.Key.Value] = option != nil && option.Value
	}
	for _, node := range program.Nodes {
		if resource, ok := node.(*pcl.Resource); ok && wanted[resource.LogicalName()] {
			if resource.Options == nil {
				resource.Options = &pcl.ResourceOptions{}
			}
			resource.Options.DeleteBeforeReplace = &model.LiteralValueExpression{Value: cty.True}
		}
	}
}

// A loader with a single package, ours. It asks no plugin and no network.
type ownSchema struct{ pkg *schema.Package }

func load(text []byte) (ownSchema, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return ownSchema{}, err
	}
	pkg, err := schema.ImportSpec(spec, map[string]schema.Language{
		"nodejs": nodejs.Importer, "python": python.Importer, "go": golang.Importer,
		"csharp": dotnet.Importer, "java": java.Importer,
	}, schema.ValidationOptions{})
	return ownSchema{pkg}, err
}

func (own ownSchema) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name == "pulumi" {
		return schema.DefaultPulumiPackage, nil
	}
	if name != own.pkg.Name {
		return nil, fmt.Errorf("there is no schema of %q", name)
	}
	return own.pkg, nil
}

func (own ownSchema) LoadPackageV2(_ context.Context, of *schema.PackageDescriptor) (*schema.Package, error) {
	return own.LoadPackage(of.Name, nil)
}

func (own ownSchema) LoadPackageReference(name string, _ *semver.Version) (schema.PackageReference, error) {
	pkg, err := own.LoadPackage(name, nil)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (own ownSchema) LoadPackageReferenceV2(
	_ context.Context, of *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return own.LoadPackageReference(of.Name, nil)
}
