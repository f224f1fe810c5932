"""objects.py VERSION…: reads the objects of Kubernetes on standard input (YAML), checks each strictly against the schemas of these
versions, and prints all as JSON. Kinds of the operator of Prometheus have no schema there.
"""

import json
import sys

import kubernetes_validate
import yaml

documents = [document for document in yaml.safe_load_all(sys.stdin) if document is not None]
for document in documents:
    for version in sys.argv[1:]:
        if not document.get("apiVersion", "").startswith("monitoring.coreos.com/"):
            kubernetes_validate.validate(document, version, strict=True)
json.dump(documents, sys.stdout)
