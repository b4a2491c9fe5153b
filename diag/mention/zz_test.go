package mention
import ("testing";"fmt";"time")
func TestZ(t *testing.T){ fmt.Println(Pods("[1/1] currentAttempt done. Last Error: USER::Pod failed. No message received from kubernetes.\n[f8b64a1c09d7e3525ac1-n0-0] terminated with exit code (137). Reason [Error]. Message: \n.\n","x.txt"))
for _,r:=range Read("[f8b64a1c09d7e3525ac1-n0-0] terminated with exit code (137). Reason [Error]. Message: \n.\n","x",  time.Time{}){fmt.Println(string(r))} }
