package mention

import "strings"

// glossary has the terms of Kubernetes' documentation in other languages, and what people say there of an end, in
// English: so that the forms of people's words read them, too. Longer terms come first.
var glossary = strings.NewReplacer(
	"Spot/preemptible", "spot", "spot/preemptible", "spot", "preemptible/spot", "spot",
	// Chinese
	"存活性探针", " liveness probe ", "存活探针", " liveness probe ", "存活检查", " liveness probe ",
	"存活探测", " liveness probe ",
	"启动探针", " startup probe ", "就绪探针", " readiness probe ", "健康检查", " health check ",
	"探针", " probe ",
	"容器", " container ", "节点", " node ", "内存溢出", " out of memory ", "内存超限", " out of memory ",
	"宿主机", " host ", "主机", " host ", "机器", " machine ", "服务器", " server ",
	"死机", " crashed ", "宕机", " crashed ", "卡死", " hung ",
	"重新启动", " restarted ", "重启", " restarted ", "崩溃", " crashed ", "驱逐", " was evicted ",
	"杀掉", " killed ", "杀死", " killed ", "被杀", " killed ", "被终止", " killed ", "失败", " failed ",
	"超时", " timeout ",
	"退出码", " exit code ", "没有", " not ", "不会", " not ", "不再", " not ", "没", " not ", "未", " not ",
	// Japanese
	"コンテナ", " container ", "ノード", " node ", "メモリ不足", " out of memory ",
	"再起動", " restarted ",
	"クラッシュ", " crashed ", "強制終了", " killed ", "退避", " was evicted ", "失敗", " failed ",
	"タイムアウト", " timeout ",
	// Korean
	"파드", " pod ", "컨테이너", " container ", "노드", " node ", "활성 프로브", " liveness probe ",
	"메모리 부족", " out of memory ",
	"재시작", " restarted ", "강제 종료", " killed ", "종료", " killed ", "축출", " was evicted ",
	"실패", " failed ",
	// French, Spanish, Portuguese, Italian
	"sonde de vivacité", "liveness probe", "sonda de vivacidad", "liveness probe", "sonda de vida", "liveness probe",
	"manque de mémoire", "out of memory", "falta de memoria", "out of memory", "falta de memória", "out of memory",
	" tuée", " killed", " tué", " killed", "évincé", "was evicted", "desalojado", "was evicted",
	"expulsado", "was evicted",
	// German, Russian
	"aus dem Speicher gelaufen", "out of memory", "проба живости", "liveness probe",
	"проверка живости", "liveness probe",
	"нехватки памяти", "out of memory", "нехватка памяти", "out of memory",
	"вытеснен", "was evicted", " убит", " killed",
)
