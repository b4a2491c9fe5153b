package naming

import (
	"strings"
	"testing"
)

func TestNamesOfALine(t *testing.T) {
	for line, want := range map[string]Names{
		"k8s_cart_cart-0_shop_0f8a1b2c-3d4e-5f60-7182-93a4b5c6d7e8_2 died":           {"shop", "cart-0", "cart"},
		`pod="shop/cart-0" containerName="cart"`:                                     {"shop", "cart-0", "cart"},
		`pod="shop/b" containerName="cart"`:                                          {"shop", "b", "cart"},
		`pod="a/true" containerName="cart"`:                                          {"a", "true", "cart"},
		`pod="null/7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001"`:                            {"null", "7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001", ""},
		"failed to exec in container: failed to start exec":                          {},
		"execing command in container: rpc error: code = Unknown":                    {},
		"Error: container create failed: no":                                         {},
		"failed to generate sandbox container spec: path is no mount":                {},
		"failed to get sandbox container task: no running task found":                {},
		`Error adding pod shop_cart-0 to CNI network "x": Unauthorized`:              {"shop", "cart-0", ""},
		"Error deleting shop_cart-0/" + strings.Repeat("5e", 32) + " from network x": {"shop", "cart-0", ""},
		"Got pod network &{Name:cart-0 Namespace:shop ID:5e UID:1 NetNS:":            {"shop", "cart-0", ""},
		`msg="Running pod sandbox: shop/cart-0/POD" id=1`:                            {"shop", "cart-0", ""},
		`msg="Creating container: shop/cart-0/cart" id=1`:                            {"shop", "cart-0", "cart"},
		"the pod was here":                                                        {},
		"# the container's id (pod delete)":                                       {},
		"pod deletion, then pod status: x":                                        {},
		"it runs in a namespace that has a limit":                                 {},
		`container "cart" in pod "cart-0" is waiting to start: PodInitializing`:   {"", "cart-0", ""},
		`container "cart" in pod "cart-0" is waiting to start: ContainerCreating`: {"", "cart-0", "cart"},
		"shop/cart-0 Container api was terminated (Exit Code: 1, Reason: Error)":  {"shop", "cart-0", "api"},
		"Error: container cart-api terminated with exit code 1.":                  {"", "", "cart-api"},
		"nothing at all":                                                                  {},
		`pod=cart-0_shop(e2ca0bb8…`:                                                       {"shop", "cart-0", ""},
		`("cart-0_shop(...)"), skipping`:                                                  {"shop", "cart-0", ""},
		"call my_func() first, then f_g(2020)":                                            {},
		"In the namespace shop the pod cart-0 ends":                                       {"shop", "cart-0", ""},
		"pod cart-0 in shop namespace":                                                    {"shop", "cart-0", ""},
		"in another namespace, in network namespace":                                      {},
		"the pod in kube-system ends":                                                     {"kube-system", "", ""},
		"what the installer puts into `kube-system` is evicted":                           {"kube-system", "", ""},
		"all in `kuma-system`":                                                            {"kuma-system", "", ""},
		"the disk in file-system order":                                                   {},
		"cart-x  7/8  CrashLoopBackOff  9 (2m21s ago)  23m":                               {"", "cart-x", ""},
		"helm upgrade cart ./chart -n shop":                                               {"shop", "", ""},
		"$ argo get -n shop cart-x7k2p":                                                   {"shop", "", ""},
		"spark-submit --namespace shop":                                                   {"shop", "", ""},
		"ctr --namespace k8s.io tasks ls":                                                 {},
		"all pods of the `shop` namespace":                                                {"shop", "", ""},
		"in ns/shop, since noon":                                                          {"shop", "", ""},
		"export NS=shop":                                                                  {"shop", "", ""},
		"kubectl get pods -n $NS":                                                         {},
		"error waiting for container: unexpected EOF":                                     {},
		"failed to stop container: context deadline exceeded":                             {},
		"failed to create containerd container: mkdir /var/lib/x":                         {},
		"kube-system/cart-0:app is up":                                                    {"kube-system", "cart-0", "app"},
		"journalctl -b -1 -k -n 3":                                                        {},
		"k get pods -n 3d":                                                                {"3d", "", ""},
		"kubectl debug node/n1-7 -it --image=busybox":                                     {},
		`msg="RunPodSandbox for &PodSandboxMetadata{Name:cart-0,Uid:0f8a1b2c,Names>`:      {"", "cart-0", ""},
		`msg="RunPodSandbox for &PodSandboxMetadata{Name:cart-0,Uid:0f8a1b2c,Attempt:1,}`: {},
		"kubectl debug cart-0 -it --image=busybox":                                        {"", "cart-0", ""},
		"Creating debugging pod node-debugger-n1-kx7rf on node n1":                        {},
		"kubectl get pods -o custom-columns=POD:metadata.name":                            {},
		"Workload: deployment:shop:cart":                                                  {"shop", "", ""},
		"[shop] cart-0   0/1   CrashLoopBackOff   5":                                      {"shop", "cart-0", ""},
		"HelmRelease/shop/cart failed":                                                    {"shop", "", ""},
		"Pod cart-0 im Namespace shop startet neu":                                        {"shop", "cart-0", ""},
		"Pod cart-0 in namespace shop OOMKilled results":                                  {"shop", "cart-0", ""},
		"in namespace of the team":                                                        {},
		"Der Namespace ist shop":                                                          {"shop", "", ""},
		"pod cart-0 在 shop 命名空间一直重启":                                                      {"shop", "cart-0", ""},
		"pod cart-0、namespace は shop です":                                                  {"shop", "cart-0", ""},
		"pod cart-0 в неймспейсе shop":                                                    {"shop", "cart-0", ""},
		"· shop/cart-0..............💥":                                                    {"shop", "cart-0", ""},
		`"object":{"kind":"Pod","name":"cart-0","x":1}`:                                   {"", "cart-0", ""},
		"命名空间是 shop":                                                                      {"shop", "", ""},
		"on OpenShift, project *shop*":                                                    {"shop", "", ""},
		"namespace/shop created":                                                          {"shop", "", ""},
		"NS: shop":                                                                        {"shop", "", ""},
		"<tr><th>pod</th><td>cart-7684df4fdc-r84vk</td></tr>":                             {"", "cart-7684df4fdc-r84vk", ""},
		"| Namespace | shop |":                                                            {"shop", "", ""},
		"**Container:** `cart`":                                                           {"", "", "cart"},
		"resource.labels.pod_name: cart-0, namespace_name: shop":                          {"shop", "cart-0", ""},
		"(that is `cart-app-1` in `shop`, since the morning)":                             {"shop", "cart-app-1", ""},
		"It all runs in ns shop.":                                                         {"shop", "", ""},
		"kubectl describe -n shop po/cart-0":                                              {"shop", "cart-0", ""},
		"kubectl get pods -n shop --no-headers | awk '{print $1}'":                        {"shop", "", ""},
		"kubectl get pods shows nothing":                                                  {},
		"kubectl get pods --all-namespaces -o wide":                                       {},
		"kubectl get pods -A -w -o wide cart-0":                                           {"", "cart-0", ""},
		"/var/log/containers/cart-0_shop_app-0123456789ab0123456789ab0123456789ab0123456789ab0123456789abcdef.log": {"shop",
			"cart-0", "app"},
		"k8s.pod.name=cart-0 k8s.namespace.name=shop k8s.container.name=app": {"shop", "cart-0", "app"},
		"*Affected pod:* cart-0":                                         {"", "cart-0", ""},
		"pods: cart-0":                                                   {"", "cart-0", ""},
		"container app in cart-app":                                      {"", "", "app"},
		"the container exited in no-time":                                {},
		"our pod (cart-app) is gone":                                     {"", "cart-app", ""},
		"Pods(shop)[12]":                                                 {"shop", "", ""},
		"+ cart-app › app":                                               {"", "cart-app", "app"},
		"It is the istio-proxy container, not mine.":                     {"", "", "istio-proxy"},
		"The API gave the following container statuses:":                 {},
		`previous terminated container "cart" in pod "cart-0" not found`: {"", "cart-0", ""},
		"I think that the same container ended":                          {},
		"It stays at the creating container step, all day":               {},
		"failed to create containerd container: create snapshot: no":     {},
		"hostname: cart-0.cart.shop.svc.cluster.local":                   {"shop", "cart-0", ""},
		"kubectl -n shop logs cart-x2k9d -c app --previous":              {"shop", "cart-x2k9d", "app"},
		"kubectl logs -n shop cart-x2k9d app -p":                         {"shop", "cart-x2k9d", "app"},
		"kubectl logs -n shop cart-x2k9d -p":                             {"shop", "cart-x2k9d", ""},
		"(kubectl exec into cart-x2k9d -n shop)":                         {"shop", "cart-x2k9d", ""},
		"kubectl run cart -it --generator=run-pod/v1 --image=cart:1":     {"", "cart", ""},
		"events for cart-0 in shop:":                                     {"shop", "cart-0", ""},
		"TaskRun pod: app-run-build-pod (shop)":                          {"shop", "app-run-build-pod", ""},
		"pod cart-0 / namespace shop / container app":                    {"shop", "cart-0", "app"},
		"the pod cart-0 (running) is in production.":                     {"", "cart-0", ""},
		`"Event occurred" object="shop/cart" kind="StatefulSet"`:         {"shop", "", ""},
		"At 10:00:09 - event for cart-0: {kubelet n1} Killing":           {"", "cart-0", ""},
		"Preempted by pod 6e3ae2a1-9c0a-4f43-bb0c-1b7a3a7a61f4 on n1":    {},
		"Exited (1) 2 minutes ago   k8s://shop/cart-0/app":               {"shop", "cart-0", "app"},
		"Error executing in Docker Container: 137":                       {},
		"Error executing command in container: container not found":      {},
		"exit codes: {app=127}":                                          {"", "", "app"},
	} {
		if got := In(line); got != want {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
}

// What all that was read names just one of is meant; names that contradict each other name nothing.
func TestTheOnlyNames(t *testing.T) {
	for name, c := range map[string]struct {
		texts []string
		want  Names
	}{
		"of two files": {[]string{"the pod cart-0 ends\n", "namespace: shop\n"}, Names{"shop", "cart-0",
			""}},
		"a name cut by the screen": {[]string{`reserve sandbox name \"cart-0_shop_e2ca0bb83aca3a70>` + "\n"},
			Names{"shop", "cart-0", ""}},
		"so is a UID": {[]string{`Error syncing pod "cart-0_shop(e2ca0bb8-3aca` + "\n"}, Names{"shop",
			"cart-0", ""}},
		"values below their fields":         {[]string{"Namespace\n\nshop\nPod\ncart-0\n"}, Names{"shop", "cart-0", ""}},
		"a container below its field":       {[]string{"Containers\napp\nPod\ncart-0\n"}, Names{"", "cart-0", "app"}},
		"in a script without blanks":        {[]string{"集群里 cart-0 这个pod一直重启\n"}, Names{"", "cart-0", ""}},
		"what keeps ending":                 {[]string{"coredns keeps crashing\n"}, Names{"", "coredns", ""}},
		"a thing that keeps ending":         {[]string{"My laptop keeps crashing all day\n"}, Names{}},
		"a name before its status":          {[]string{"cart-0   CrashLoopBackOff\n"}, Names{"", "cart-0", ""}},
		"two pods":                          {[]string{"pod=cart-0\npod=web-0\n"}, Names{}},
		"two pods and the container of one": {[]string{"pod=cart-0 container=app\npod=web-0\n"}, Names{}},
		"two pods with one container":       {[]string{"pod=cart-0 container=app\npod=web-0 container=app\n"}, Names{"", "", "app"}},
		"two that a person says": {[]string{"The pod cart-0 and then the pod web-0 ended.\n"}, Names{"", "cart-0",
			""}},
		"many that are listed, one of which a person speaks": {
			[]string{"cart-0   1/1   Running\nweb-0   1/1   Running\n\nThe pod web-0 is the one that ends.\n"},
			Names{"", "web-0", ""}},
		"many that are listed, one of which a person names in passing": {
			[]string{"On a worker (w3, cart-engine) it keeps on failing.\ncart-engine  1/1  Running\nweb-0  1/1  Running\n"},
			Names{"", "cart-engine", ""}},
		"two of them in passing": {
			[]string{"On workers (cart-engine, web-0) it keeps on failing.\ncart-engine  1/1  Running\nweb-0  1/1  Running\n"},
			Names{}},
		"a described node": {[]string{"Name:   cart-0\nRoles:  <none>\nConditions:\n"}, Names{}},
		"its pods": {[]string{"Name:   n1\nRoles:  <none>\nNon-terminated Pods:  (1 in total)\n" +
			"  Namespace  Name    CPU Requests\n  shop       cart-0  100m (1%)\nEvents:  <none>\n"}, Names{}},
		"the controller and its pod": {[]string{"The pod cart keeps on ending.\npod=cart-7684df4fdc-r84vk\n"},
			Names{"", "cart-7684df4fdc-r84vk", ""}},
		"what stood beside the pod, of several namespaces": {[]string{"pod shop/cart-0\nnamespace: kube-system\n"},
			Names{"shop", "cart-0", ""}},
		"a table's columns": {[]string{"Namespace,Pod,Container,Restarts\nshop,cart-0,app,4\n"}, Names{"shop",
			"cart-0", "app"}},
		"a table of objects of many kinds": {[]string{"time,namespace,kind,name\nt,shop,Pod,cart-0\nt,shop,Node,n-1\n"},
			Names{"shop", "cart-0", ""}},
		"the API's path": {[]string{"GET /api/v1/namespaces/shop/pods/cart-0/log\n"},
			Names{"shop", "cart-0", ""}},
		"a dashboard's file": {[]string{"logs-from-app-in-cart-0.txt\n"}, Names{"", "cart-0", "app"}},
		"a pod's prompt":     {[]string{"root@cart-0:/app# env\n"}, Names{"", "cart-0", ""}},
		"a kubelet's volume": {[]string{"/var/lib/kubelet/pods/0f8a1b2c-3d4e/volumes/x\n"}, Names{}},
		"Markdown's": {[]string{"| Pod | Namespace |\n|---|---|\n| cart-0 | shop |\n"},
			Names{"shop", "cart-0", ""}},
		"a task that is no pod": {[]string{"docker: the essential task edge-cron:41 stopped\n"},
			Names{"", "edge-cron", ""}},
		"a container where there are no pods": {[]string{"podman ps says so\nContainer:  cart\n"}, Names{"", "cart",
			"cart"}},
		"a container where there are": {[]string{"kubectl says so\nContainer:  cart\n"}, Names{"", "", "cart"}},
		"one that backs off beside Docker's files": {[]string{
			"Error: failed to start container \"cart\": stat /var/lib/docker/aufs\nContainer:  cart\n"}, Names{"", "", "cart"}},
		"a name that is set apart": {[]string{"Since today our `cart-app` ends whenever it wants.\n"},
			Names{"", "cart-app", ""}},
		"a file that is": {[]string{"Since today our file `cart-app` ends whenever it wants.\n"},
			Names{}},
		"one that ends as those of a StatefulSet": {[]string{"Since today our poor cart-0 ends whenever it wants.\n"},
			Names{"", "cart-0", ""}},
		"one in no sentence":           {[]string{"# cart-0 down\n"}, Names{"", "cart-0", ""}},
		"a region, which ends so too":  {[]string{"# eu-west-1 down\n"}, Names{}},
		"one alone with its namespace": {[]string{"shop/cart-app\n"}, Names{"", "cart-app", ""}},
		"a container's environment":    {[]string{"PATH=/bin\nHOSTNAME=cart-app\n"}, Names{"", "cart-app", ""}},
		"a name in an alert":           {[]string{":fire: *cart-app* (shop) restarted\n"}, Names{"", "cart-app", ""}},
		"a pod that somebody entered":  {[]string{"$ kubectl exec -it cart-app -n shop -- env\n"}, Names{"shop", "cart-app", ""}},
		"a weak name beside a strong":  {[]string{"HOSTNAME=cart-app\npod=web-0\n"}, Names{"", "web-0", ""}},
		"a value of a command's flag":  {[]string{"kubectl get pods -l ex-3-1\n# Expected: ErrImagePull\n"}, Names{}},
		"a namespace that ends so too": {[]string{"kubectl get pods -n ex-3-1\nSince today our `ex-3-1` is down.\n"}, Names{"ex-3-1", "", ""}},
		"a pod's own volume":           {[]string{"  /var/run/secrets from kube-api-access-x7xd2 (ro)\n"}, Names{}},
		"a machine's prompt":           {[]string{"root@cart-0:/home/ubuntu# dmesg\n"}, Names{}},
		"a node that does":             {[]string{"Since today our node cart-0 ends whenever it wants.\n"}, Names{}},
		"a field behind the word":      {[]string{"cart pod: reason: OOMKilled\n"}, Names{}},
		"a Job by its kind":            {[]string{"error: job.batch/sum-up: timed out\n"}, Names{"", "sum-up", ""}},
		"a Job in an alert":            {[]string{"Job shop/sum failed to complete.\n"}, Names{"shop", "sum", ""}},
		"a Job that a person says":     {[]string{"Our job `sum` has too many failures today.\n"}, Names{"", "sum", ""}},
		"a Job in a label":             {[]string{"job=\"kube-state-metrics\" job_name=\"sum\"\n"}, Names{"", "sum", ""}},
		"a scrape's job":               {[]string{"job=\"kube-state-metrics\" job: 'node-exporter'\n"}, Names{}},
		"a row as of a failed Job": {[]string{"NAME  STATUS  COMPLETIONS  DURATION  AGE\nsum   Failed  0/1  6m  6m\n"},
			Names{}},
		"a Job and its pod": {[]string{"job.batch/sum-up failed\nCreated pod: sum-up-x7k2p\n"},
			Names{"", "sum-up-x7k2p", ""}},
		"two Jobs": {[]string{"job.batch/sum-up failed\njob.batch/cut-off failed\n"}, Names{}},
		"a Job's object": {[]string{"kind: Job\nmetadata:\n  labels:\n    app: x\n  name: sum\n  namespace: shop\n"},
			Names{"shop", "sum", ""}},
		"the same in JSON": {[]string{`{"kind":"Job","metadata":{"labels":{"name":"x"},"name":"sum"},"status":{}}` + "\n"},
			Names{"", "sum", ""}},
		"an event's object": {[]string{"involvedObject:\n  apiVersion: batch/v1\n  kind: Job\n  name: sum\n"},
			Names{"", "sum", ""}},
		"an introduction":                  {[]string{"We see this on **cart-app**:\n"}, Names{"", "cart-app", ""}},
		"one that names two":               {[]string{"We see this on cart-app and cart-db:\n"}, Names{}},
		"one of a machine":                 {[]string{"We see this on the node cart-app:\n"}, Names{}},
		"a container's name alone":         {[]string{"cart-app:\n"}, Names{}},
		"a machine that is":                {[]string{"Since today our k8s-master-0 ends whenever it wants.\n"}, Names{}},
		"a drawn name in a question":       {[]string{"What is wrong with cart-x7k2p?\n"}, Names{"", "cart-x7k2p", ""}},
		"a command":                        {[]string{"kubectl delete -f x.yaml; kubectl top cart-0\n"}, Names{"", "cart-0", ""}},
		"a field":                          {[]string{"claimName: cart-0\n"}, Names{}},
		"an address":                       {[]string{"the pod web-0 cannot reach cart-0.cart.shop.svc.cluster.local:80\n"}, Names{"", "web-0", ""}},
		"two workloads":                    {[]string{"deploy/cart\nsts/web\n"}, Names{}},
		"a namespace that people only say": {[]string{"All pods in shop-production were evicted.\n"}, Names{"shop-production", "", ""}},
		"no pod is a namespace":            {[]string{"All runs in cart-0.\n"}, Names{}},
		"a machine in its place":           {[]string{"It is deployed in gke-shop-1 today, as ever.\n"}, Names{}},
		"a namespace that has a name":      {[]string{"The namespace is called shop.\nPods from namespace shop are gone.\n"}, Names{"shop", "", ""}},
		"the lease's namespace": {[]string{"pod=cart-0 failed to renew lease shop/cart-lock: timed out\n"},
			Names{"shop", "cart-0", ""}},
		"the lease's, where another is told": {[]string{"pod=cart-0 in `web`\nfailed to renew lease shop/cart-lock\nnamespace=web\n"},
			Names{"web", "cart-0", ""}},
	} {
		var text Text
		for _, s := range c.texts {
			text.Add(s)
		}
		if got := text.Only(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestANameBehindAKindIsNoPods(t *testing.T) {
	for line, want := range map[string]string{
		"Quota reserved in ClusterQueue cart-e2e-tv92f, since noon":  "",
		"the AppWrapper `cart-e2e-tv92f` is gone":                    "",
		"the pod of JobSet cart is cart-tv92f":                       "cart-tv92f",
		"12m  Warning  BackOff cart-e2e-tv92f":                       "cart-e2e-tv92f",
		"It is gone: cart-e2e-tv92f":                                 "cart-e2e-tv92f",
		"CrashLoopBackOff: cart-e2e-tv92f has it since this morning": "cart-e2e-tv92f",
	} {
		if got := drawnIn(line); got.Pod != want {
			t.Errorf("%s: %q, want %q", line, got.Pod, want)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("pod: cart-0, namespace: shop\n| Pod | Namespace |\n| a | b |\n")
	f.Add("<td>pod</td><td>cart</td>\n`x-1` in `y`\n")
	f.Fuzz(func(t *testing.T, text string) {
		var all Text
		all.Add(text)
		if n := all.Only(); len(n.Pod) > 253 || len(n.Namespace) > 63 || strings.ContainsAny(n.Pod, " \n") {
			t.Errorf("%+v", n)
		}
	})
}

// TestTheNamespaceIsBesideItsOwner: people call a pod by its controller's name, with its namespace next to it.
func TestTheNamespaceIsBesideItsOwner(t *testing.T) {
	const row = "\ncart-7d9f8b6c5-x2k9p   0/1   CrashLoopBackOff   5   3m\n"
	for text, want := range map[string]string{
		"cart (shop) crashes again" + row:                     "shop",
		"set on the probe of cart in `web-shop`" + row:        "web-shop",
		"shop/cart is down" + row:                             "shop",
		"curl http://cart.shop.svc.cluster.local" + row:       "shop",
		"### Namespace\n\nshop\n" + row:                       "shop",
		"**Namespace**\nshop\n" + row:                         "shop",
		"the chart is stable/cart" + row:                      "",
		"image: shop/cart:1.2" + row:                          "",
		"shop/cart, or was it web/cart" + row:                 "",
		"db.data.svc.cluster.local does not answer" + row:     "",
		"cart (again) and deployment/cart (twice) fail" + row: "",
	} {
		var read Text
		read.Add(text)
		if got := read.Only(); got.Namespace != want {
			t.Errorf("%q: namespace %q, want %q", text, got.Namespace, want)
		}
	}
}
