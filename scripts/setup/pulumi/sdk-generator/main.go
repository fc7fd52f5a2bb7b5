// Writes the SDKs of a Pulumi schema with the code generators of the Pulumi CLI's own version. It does
// what "pulumi package gen-sdk" does where the CLI's language hosts are too old to do it.
//
// Usage: generator SCHEMA FOLDER LANGUAGE...
// The SDK of each language, python or go, goes into a folder of its name, which it replaces.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// The name in the first line of every generated file, as the CLI writes it.
const tool = "pulumi-language-"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return errors.New("usage: generator SCHEMA FOLDER LANGUAGE...")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	for _, language := range args[2:] {
		files, err := generate(text, language)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		if err := write(filepath.Join(args[1], language), files); err != nil {
			return err
		}
	}
	return nil
}

// The files of one SDK, by their paths. Each language binds the schema again, because generators leave
// their own settings in it.
func generate(text []byte, language string) (map[string][]byte, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	// Never asked: the schema refers to no other package, but the binder needs a loader.
	loader := schema.NewPluginLoader(nil)
	pkg, problems, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, problems
	}
	switch language {
	case "python":
		return python.GeneratePackage(tool+language, pkg, nil, loader)
	case "go":
		return golang.GeneratePackage(tool+language, pkg, nil)
	}
	return nil, errors.New("there is no generator for this language")
}

func write(folder string, files map[string][]byte) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
