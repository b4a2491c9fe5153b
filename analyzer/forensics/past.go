package forensics

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Past is what is known of the earlier specs of a container while its values are available.
type Past struct {
	// Images are other known images, the likeliest first.
	Images []string
	// Earlier are the container in the templates of its workload's revisions, newest first, including the one that the
	// pod was made from.
	Earlier []Template
}

// Template is a container in a revision of its pod's workload.
type Template struct {
	// Source names the revision: "revision 3 of deployment web".
	Source    string
	Container *corev1.Container
}

// nearest returns the template that the container was most likely made from: the one with the fewest differing fields,
// apart from image and resources, which may have been changed in place. Nil where there is none.
func (p *Past) nearest(c *corev1.Container) *corev1.Container {
	var best *corev1.Container
	fewest := 0
	for _, t := range p.Earlier {
		if t.Container == nil {
			continue
		}
		was := *t.Container
		was.Image, was.Resources = c.Image, c.Resources
		if n := len(differing(c, &was)); best == nil || n < fewest {
			best, fewest = t.Container, n
		}
	}
	return best
}

// template tries a revision: with what admission made of the pod's own template, base; unchanged; and as the present
// spec with its resources, because those are resized in place.
func (s *search) template(base *corev1.Container, t *Template) {
	if t.Container == nil || s.computed >= s.limit {
		return
	}
	grown := transplanted(base, s.spec, t.Container)
	s.earlier(grown, t.Source, differing(s.spec, grown))
	s.earlier(t.Container, t.Source+", as it stands there", differing(s.spec, t.Container))
	resized := *s.spec
	resized.Resources = t.Container.Resources
	if amounts := differing(s.spec, &resized); len(amounts) > 0 {
		s.earlier(&resized, "this spec with the resources of "+t.Source, amounts)
		if resized.Image = grown.Image; resized.Image != s.spec.Image {
			s.earlier(&resized, "this spec with image and resources of "+t.Source, amounts)
		}
	}
}

// around tries what is near a revision: one usual field less, more or changed.
func (s *search) around(base *corev1.Container, t *Template) {
	if t.Container == nil || s.computed >= s.limit {
		return
	}
	grown := transplanted(base, s.spec, t.Container)
	fields := differing(s.spec, grown)
	for _, e := range edits(grown) {
		if c := grown.DeepCopy(); e.usual && s.computed < s.limit && e.do(c) {
			s.earlier(c, t.Source+" "+e.words(), append(fields[:len(fields):len(fields)], changedField{e.field, e.way}))
		}
	}
}

// earlier hashes a possible earlier spec, which differs from the present one in some fields.
func (s *search) earlier(c *corev1.Container, source string, in []changedField) {
	if s.computed >= s.limit || len(in) == 0 && c.Image == s.spec.Image {
		return
	}
	var fields [other + 1][]string
	for _, d := range in {
		fields[d.way] = append(fields[d.way], d.field)
	}
	s.keep(c, false, evidence.SpecHash{Source: source, Without: joined(fields[less]),
		With: joined(fields[more]), Changed: joined(fields[other])})
}

// admitted returns the edits that undo what admission made of the template, field by field, whichever webhook did it.
func admitted(c, base *corev1.Container) (all []edit) {
	if base == nil {
		return nil
	}
	now, was := reflect.ValueOf(c).Elem(), reflect.ValueOf(base).Elem()
	for i := range now.NumField() {
		field, _, _ := strings.Cut(now.Type().Field(i).Tag.Get("json"), ",")
		if field == "name" || field == "image" || reflect.DeepEqual(now.Field(i).Interface(), was.Field(i).Interface()) {
			continue
		}
		e := edit{field: field, way: other, usual: true, do: takeField(i, base)}
		if was.Field(i).IsZero() {
			e.way = less
		} else if now.Field(i).IsZero() {
			e.way = more
		}
		all = append(all, e)
	}
	return all
}

// takeField sets one field of a container from another one, by its index in the struct.
func takeField(i int, from *corev1.Container) func(*corev1.Container) bool {
	return func(c *corev1.Container) bool {
		to, was := reflect.ValueOf(c).Elem().Field(i), reflect.ValueOf(from.DeepCopy()).Elem().Field(i)
		if reflect.DeepEqual(to.Interface(), was.Interface()) {
			return false
		}
		to.Set(was)
		return true
	}
}

// words says what an edit does to a template.
func (e *edit) words() string {
	switch e.way {
	case less:
		return "without " + e.field
	case more:
		return "with " + e.field
	}
	return "with another " + e.field
}

// imageAs returns a template's image as a registry webhook that turned base into now would write it: "web:1" is
// "mirror/web:1" where "web:2" became "mirror/web:2".
func imageAs(base, now, was string) string {
	if mirror, ok := strings.CutSuffix(now, base); ok && base != "" {
		return mirror + was
	}
	return was
}
